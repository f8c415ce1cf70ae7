# SPDX-License-Identifier: MIT
"""Builds with CMake: the emulator that exercises run on, and the programs of the lessons."""
