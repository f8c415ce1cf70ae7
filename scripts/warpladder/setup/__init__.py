# SPDX-License-Identifier: MIT
"""What this machine has and what it lacks: tools, libraries and the CUDA toolkit, found, fetched and installed."""
