# SPDX-License-Identifier: MIT
"""From a student's file to a verdict: compile it, run it in the sandbox, have the judge compare, name the cause."""
