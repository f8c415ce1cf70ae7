# SPDX-License-Identifier: MIT
"""The drawings of the chapters. `python3 scripts/pictures` draws them all to lessons/NN_topic/pictures/."""
