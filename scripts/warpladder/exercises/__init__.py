# SPDX-License-Identifier: MIT
"""The exercises: their folders, the student's own files and progress, and what can be said about a file."""
