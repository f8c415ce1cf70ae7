# SPDX-License-Identifier: MIT
"""The verbs of `./course`, one module each with add_arguments() and run(); its docstring is the verb's help."""
