# SPDX-License-Identifier: MIT
"""The class report: one page, all of it from the gradebook, and no text of a stranger is ever markup."""

from __future__ import annotations

import html.parser
import re
import time
from pathlib import Path

import attack_samples
import pytest
from class_samples import RIGHT
from exercise_samples import WARP_SUM

from warpladder.core.console import CourseError
from warpladder.exercises.verdict import Kind
from warpladder.grading import report, similar
from warpladder.grading.book import Book
from warpladder.grading.record import ClassGrade, ExerciseGrade, StudentGrade
from warpladder.grading.similar import Pair

HOSTILE = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "</pre></details></body><style>*{display:none}</style>",
    "<!--",
    "&lt;b&gt;&amp;",
    "\x1b[2J\u202e<iframe>",
    "javascript:alert(1)",
    "]]><![CDATA[",
)
TAGS = set(
    "html head meta title style body h1 h2 h3 h4 p b div section table tr td th details summary span pre figure "
    "figcaption i".split()
)


class Reader(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def entry(text: str, kind: Kind = Kind.WRONG_VALUE, **more: object) -> ExerciseGrade:
    return ExerciseGrade("warp_sum", text, text, 5, 10, kind, text, f"{text}\n  line two", 1.0, remarks=(text,), **more)  # type: ignore


def hostile_class() -> ClassGrade:
    students = tuple(
        StudentGrade(f"{text} {number}", (entry(text),), bad=text)
        for number, text in enumerate((*HOSTILE, *attack_samples.FORMULAE, "x" * 5000))
    )
    return ClassGrade(students, 424242, HOSTILE[0], ())


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    return reader


def test_nothing_of_a_stranger_is_markup() -> None:
    pairs = [Pair(text, text, text, 0.9) for text in HOSTILE]
    text = report.page(hostile_class(), pairs)
    page = read(text)
    assert set(page.tags) <= TAGS
    assert page.attributes <= {"lang", "charset", "name", "content", "http-equiv", "class", "style", "title", "colspan"}
    assert page.tags.count("details") == len(hostile_class().students)
    assert "<script>alert(1)</script>" in page.text, "it is shown as it is"
    assert not set(text) & set("\x1b\u202e\x07")
    assert "default-src 'none'" in text and not re.search(r"https?://|src=|url\(", text.replace("src=x onerror", ""))
    assert "424242" not in text, "the hidden cases stay hidden"


def test_what_it_says() -> None:
    students = (
        StudentGrade("anna", (entry("Right", Kind.PASSED, hints=0, speed=0.9),)),
        StudentGrade("bert", (entry("Right", Kind.LOST_TAIL, hints=2),), days_late=1.5, kept=0.8),
        StudentGrade("cem", (entry("Right", Kind.LOST_TAIL),)),
    )
    text = read(report.page(ClassGrade(students, 1, "the emulator", ()), [Pair("warp_sum", "anna", "cem", 0.93)])).text
    for words in ("3 students", "1 of 3 passed", "lost tail2", "1 of 2 used any", "1.5 days late", "93%", "line two"):
        assert words in text, words
    assert "Not all students" in report.page(ClassGrade((), 1, "x", (), complete=False), [])


def test_it_comes_from_the_book(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="there is no gradebook"):
        report.write(tmp_path, tmp_path / "report.html")
    book = Book(tmp_path, make=True)
    number = book.begin(ClassGrade((), 1, "x", (), complete=False), 1)
    book.add(number, StudentGrade("anna", (entry("Right"),)), {})
    book.keep_alike(number, [Pair("warp_sum", "anna", "bert", 1.0)])
    book.end(number)
    book.close()
    report.write(tmp_path, tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_mode & 0o077 == 0
    assert "bert" in (tmp_path / "report.html").read_text()


LONG = """
__global__ void histogram(const unsigned* values, int n, unsigned* bins) {
  __shared__ unsigned mine[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned value = values[i];
    if (value < 256) atomicAdd(&mine[value], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    if (mine[i] != 0) atomicAdd(&bins[i], mine[i]);
  }
}
"""


def renamed(text: str) -> str:
    for old, new in (
        ("values", "input"),
        ("mine", "local_counts"),
        ("histogram", "h"),
        ("bins", "out"),
        ("256", "300"),
    ):
        text = text.replace(old, new)
    return "// my own work\n" + text.replace("{\n", "{  /* note */\n\n")


def test_other_names_and_comments_hide_nothing() -> None:
    other = LONG.replace("for (int i = blockIdx.x", "while (n > 0 && bins) { --n; }\n  for (int i = blockIdx.x")
    files = {"anna": LONG.encode(), "bert": renamed(LONG).encode(), "cem": RIGHT.encode(), "dora": other.encode()}
    found = similar.pairs("histogram", files, b"")
    assert (found[0].one, found[0].other, found[0].share) == ("anna", "bert", 1.0)
    assert not any("cem" in (pair.one, pair.other) for pair in found)


def test_what_the_starter_has_does_not_count() -> None:
    assert similar.pairs("histogram", {"anna": LONG.encode(), "bert": LONG.encode()}, LONG.encode()) == []
    starter = (WARP_SUM / "starter.cuh").read_bytes()
    assert similar.pairs("warp_sum", {"anna": starter, "bert": starter}, starter) == []


def test_many_equal_files_are_one_line() -> None:
    files = {f"s{i:04}": LONG.encode() for i in range(2000)}
    start = time.process_time()
    assert [(pair.one, pair.other) for pair in similar.pairs("x", files, b"")] == [("s0000", "s0001 and 1998 more")]
    assert time.process_time() - start < 10


@pytest.mark.parametrize("text", [b"", b"/*" * 200_000, b'"' * 500_000, b"a" * 1_000_000, b"\xff\x00" * 300_000])
def test_hostile_files_take_no_time(text: bytes) -> None:
    start = time.process_time()
    similar.pairs("x", {"a": text, "b": text + b" "}, b"")
    assert time.process_time() - start < 4
