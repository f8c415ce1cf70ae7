# SPDX-License-Identifier: MIT
"""The emulator's modelled times beside measured ones, and where the constants of the model come from."""
