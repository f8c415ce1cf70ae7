# SPDX-License-Identifier: MIT
"""What the book needs of Sphinx besides MyST: links to source files lead to pages that show them, with line numbers."""

from __future__ import annotations

import html
import posixpath
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from sphinx.application import Sphinx

from ..core.paths import ROOT
from . import markdown, pages

FOLDER = "sources"
_LANGUAGES = {
    **dict.fromkeys((".cu", ".cuh", ".cpp", ".hpp", ".h", ".def"), "cuda"),
    ".py": "python",
    ".cmake": "cmake",
    ".sh": "sh",
    ".json": "json",
    ".js": "javascript",
    ".txt": "text",
    ".md": "text",
    "": "text",
}
_LARGEST = 100_000  # bytes; a larger file is copied as it is


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _read)
    app.connect("doctree-read", _resolve)
    app.connect("html-page-context", _name_levels, priority=900)  # after Furo, which makes the navigation
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": False}


def _read(app: Sphinx, name: str, source: list[str]) -> None:
    source[0] = markdown.prepared(name, source[0], app.env.found_docs)


def _name_levels(app: Sphinx, name: str, template: str, context: dict[str, Any], tree: nodes.document | None) -> None:
    """Captions of the navigation call themselves headings; a screen reader wants to know of which level."""
    if navigation := context.get("furo_navigation_tree"):
        context["furo_navigation_tree"] = navigation.replace('role="heading"', 'role="heading" aria-level="2"')


def _linked(env: Any) -> set[str]:  # noqa: ANN401 (Sphinx's environment takes what extensions keep in it)
    if not hasattr(env, "warpladder_sources"):
        env.warpladder_sources = set()
    found: set[str] = env.warpladder_sources
    return found


def _is_page(path: Path) -> bool:
    return path.is_dir() or (path.suffix in _LANGUAGES and path.stat().st_size <= _LARGEST)


def _address(inside: str) -> str:
    """Of a file or folder of the repository, in the book."""
    path = ROOT / inside
    ending = "/index.html" if path.is_dir() else ".html" if _is_page(path) else ""
    return posixpath.join(FOLDER, inside + ending)


def _resolve(app: Sphinx, tree: nodes.document) -> None:
    name = app.env.docname
    for link in tree.findall(nodes.reference):
        address = link.get("refuri", "")
        if not address.startswith(markdown.SOURCE):
            continue
        inside = address.removeprefix(markdown.SOURCE).rstrip("/")
        if not inside or not (ROOT / inside).exists():
            raise RuntimeError(f"{name}: the link to '{inside}' leads nowhere")
        _linked(app.env).add(inside)
        link["refuri"] = posixpath.relpath(_address(inside), posixpath.dirname(name) or ".")


def _with_files(linked: set[str]) -> list[str]:
    """Those, and the files that lie in a folder among them."""
    files = {each.relative_to(ROOT).as_posix() for name in linked for each in _listed(ROOT / name) if each.is_file()}
    return sorted(linked | files)


def _listed(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if not each.name.startswith((".", "__")))


def _write_sources(app: Sphinx) -> None:
    """By hand, without the navigation, which takes Sphinx longer than all the rest of such a page."""
    template = Path(__file__).with_name("source.html").read_text(encoding="utf-8")
    known = set(_with_files(_linked(app.env)))
    for inside in sorted(known):
        path, place = ROOT / inside, Path(app.outdir) / _address(inside)
        place.parent.mkdir(parents=True, exist_ok=True)
        if not _is_page(path):
            shutil.copyfile(path, place)
            continue
        body = _folder(path, known) if path.is_dir() else _source(path)
        parts = {"PATH": html.escape(inside), "TOP": "../" * _address(inside).count("/"), "BODY": body}
        place.write_text("".join(parts.get(piece, piece) for piece in template.split("@")), encoding="utf-8")


def _source(path: Path) -> str:
    lexer = get_lexer_by_name(_LANGUAGES[path.suffix])
    formatter = HtmlFormatter(linenos="inline", lineanchors="line", cssclass="highlight source")
    return str(highlight(path.read_text(encoding="utf-8"), lexer, formatter))


def _folder(path: Path, known: set[str]) -> str:
    rows = []
    for each in _listed(path):
        inside = each.relative_to(ROOT).as_posix()
        name = html.escape(each.name + ("/" if each.is_dir() else ""))
        link = posixpath.relpath(_address(inside), _address(path.relative_to(ROOT).as_posix()).rpartition("/")[0])
        rows.append(f'<li><a href="{html.escape(link)}">{name}</a></li>' if inside in known else f"<li>{name}</li>")
    return f"<ul>{''.join(rows)}</ul>"


def _finish(app: Sphinx, error: Exception | None) -> None:
    if error is None:
        _write_sources(app)
        first = Path(app.outdir) / f"{pages.FIRST}.html"
        shutil.copyfile(first, first.with_name("index.html"))  # a folder is opened by its index.html
