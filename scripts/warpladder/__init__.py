# SPDX-License-Identifier: MIT
"""What `./course` runs: set-up, building, running, testing, tables, charts. Only the charts need more than Python."""
