# SPDX-License-Identifier: MIT
"""Results of the lessons: the file they are kept in, and what tables and charts compute from it."""
