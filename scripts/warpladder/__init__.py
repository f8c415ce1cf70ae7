# SPDX-License-Identifier: MIT
"""What `./course` runs: set-up, building and testing. Standard library only."""
