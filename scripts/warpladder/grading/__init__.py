# SPDX-License-Identifier: MIT
"""Grades a class: what was handed in, the rules, the gradebook, and the formats that results are written in."""
