# SPDX-License-Identifier: MIT
"""The tests of the project: which there are, and what their runs said."""
