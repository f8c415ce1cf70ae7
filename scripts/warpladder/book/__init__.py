# SPDX-License-Identifier: MIT
"""The book: the chapters and pages where they lie, as a site that can be read without a server or a network."""
