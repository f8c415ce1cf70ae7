# SPDX-License-Identifier: MIT
"""What every part of the course needs: where things are, how commands are run and told, numbers and text for people."""
