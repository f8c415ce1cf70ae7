# SPDX-License-Identifier: MIT
"""Runs programs that nobody has read, with limits, and reads what they leave behind without trusting it."""
