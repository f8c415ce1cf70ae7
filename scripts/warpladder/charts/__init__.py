# SPDX-License-Identifier: MIT
"""Draws charts with matplotlib. Only this package needs it, and it runs in a process of its own (drawing.py)."""
