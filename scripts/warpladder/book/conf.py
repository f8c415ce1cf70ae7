# SPDX-License-Identifier: MIT
"""The settings of Sphinx, which reads this file by itself (`./course book`)."""

from __future__ import annotations

from pathlib import Path

from warpladder.book import pages
from warpladder.core.paths import ROOT

project = "Warp Ladder"
author = copyright = "the authors of Warp Ladder"
html_title = "Warp Ladder"
language = "en"

extensions = ["myst_parser", "sphinx_copybutton", "warpladder.book.extension"]
root_doc = pages.FIRST
include_patterns = ["*.md", "docs/*.md", "lessons/*/*.md", "lessons/*/exercises/*/README.md"]
exclude_patterns = [path.name for path in ROOT.iterdir() if path.is_dir() and path.name not in ("docs", "lessons")]
source_suffix = {".md": "markdown"}
highlight_language = "none"  # a block that names no language is output, not Python

myst_heading_anchors = 6  # links to headings are GitHub's, so that they work there too
myst_url_schemes = {"http": None, "https": None, "mailto": None, "source": None}
myst_enable_extensions: list[str] = []

html_theme = "furo"
html_static_path = [str(Path(__file__).with_name("static"))]
html_css_files = ["book.css"]
html_js_files = ["book.js"]
html_copy_source = html_use_index = False
html_show_sphinx = False
html_show_copyright = False
# The excerpts below what a search finds are fetched page by page, and nothing can be fetched from a folder.
html_show_search_summary = False
html_theme_options = {"navigation_with_keys": True}
copybutton_prompt_text = "$ "
templates_path: list[str] = []
