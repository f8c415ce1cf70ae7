# SPDX-License-Identifier: MIT
"""The pictures of the chapters: what is committed is what the script draws, and it can be read."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from pictures.catalogue import HERE, LESSONS, pictures
from pictures.svg import FILLS, STROKES, WIDTH

PICTURES = pictures()
SVG = "{http://www.w3.org/2000/svg}"


def name(path: Path) -> str:
    return str(path.relative_to(LESSONS))


def test_no_picture_is_left_over_and_none_is_missing() -> None:
    committed = set(LESSONS.glob("*/pictures/*"))
    assert sorted(map(name, committed)) == sorted(map(name, PICTURES))


@pytest.mark.parametrize("path", PICTURES, ids=name)
def test_the_file_is_what_the_script_draws(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == PICTURES[path](), "run `python3 scripts/pictures`"


@pytest.mark.parametrize("path", PICTURES, ids=name)
def test_it_is_well_formed_and_says_what_it_shows(path: Path) -> None:
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    assert root.tag == SVG + "svg"
    assert root.findtext(SVG + "title")
    assert root.findtext(SVG + "desc")
    assert "prefers-color-scheme: dark" in (root.findtext(SVG + "style") or "")


@pytest.mark.parametrize("path", PICTURES, ids=name)
def test_nothing_leaves_the_page(path: Path) -> None:
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    height = float(root.attrib["height"])
    for part in root.iter():
        if part.tag == SVG + "text":
            x, y, size = (float(part.attrib[key]) for key in ("x", "y", "font-size"))
            # A letter is about half its size wide, in a wide font a little more.
            width = len(part.text or "") * size * (0.61 if "mono" in part.attrib["class"] else 0.54)
            start = x - {"start": 0.0, "middle": width / 2, "end": width}[part.attrib["text-anchor"]]
            assert start >= 0 and start + width <= WIDTH, part.text
            assert size <= y <= height, part.text
        elif part.tag == SVG + "rect" and "x" in part.attrib:
            x, y, w, h = (float(part.attrib[key]) for key in ("x", "y", "width", "height"))
            assert 0 <= x and x + w <= WIDTH and 0 <= y and y + h <= height


@pytest.mark.parametrize("path", PICTURES, ids=name)
def test_every_colour_is_of_the_shared_style(path: Path) -> None:
    used = set(re.findall(r'class="([a-z -]+)"', path.read_text(encoding="utf-8")))
    known = {f"{kind}-{fill}" for kind in ("f", "on") for fill in FILLS}
    known |= {f"{kind}-{stroke}" for kind in ("s", "t") for stroke in STROKES} | {"page", "mono"}
    assert {word for words in used for word in words.split()} <= known


@pytest.mark.parametrize("path", PICTURES, ids=name)
def test_a_chapter_shows_it(path: Path) -> None:
    pages = [page.read_text(encoding="utf-8") for page in path.parents[1].glob("*.md")]
    assert any(f"](pictures/{path.name})" in page for page in pages)


def test_an_argument_gets_one_line_and_exit_code_2() -> None:
    run = subprocess.run([sys.executable, str(HERE), "--fast"], capture_output=True, text=True)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
