# SPDX-License-Identifier: MIT
"""One HTML file that shows what the kernels of a program did on the emulator."""
