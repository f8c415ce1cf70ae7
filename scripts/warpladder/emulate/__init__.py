# SPDX-License-Identifier: MIT
"""Runs any CUDA program on the emulator: compiles it, looks whether it can run, sets the emulator's settings."""
