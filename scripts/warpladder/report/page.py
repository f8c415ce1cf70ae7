# SPDX-License-Identifier: MIT
"""The report as one HTML file: style, scripts and data are in it, and nothing is fetched."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

_PARTS = Path(__file__).with_name("page")
# In the order in which they need each other.
_SCRIPTS = ("dom", "columns", "overview", "requests", "source", "lanes", "findings", "main")


def page(title: str, about: str, data: dict[str, Any]) -> str:
    """The document. Names and sources stay text: scripts put them in as such, and data cannot end its element."""
    parts = {
        "TITLE": html.escape(title),
        "ABOUT": html.escape(about),
        "STYLE": _read("style.css"),
        "SCRIPT": "\n".join(_read(f"{name}.js") for name in _SCRIPTS),
        "DATA": _embedded(data),
    }
    frame = _read("frame.html")
    pieces = frame.split("@")
    return "".join(parts.get(piece, piece) for piece in pieces)


def _read(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8").strip()


def _embedded(data: dict[str, Any]) -> str:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
