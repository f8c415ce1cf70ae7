# SPDX-License-Identifier: MIT
"""The lessons: which there are, their programs and how they are run over many sizes."""
