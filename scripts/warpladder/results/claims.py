# SPDX-License-Identifier: MIT
"""Sentences that compare are bound to the results: a comment behind the sentence says what must hold, as in

    The shared atomic is tens of times faster. <!-- claim: us(01 global_atomic) > 20 * us(01 shared_atomic) -->

    us(NN RUNG [TYPE] [2^K])      its median time in microseconds; fp32 and the n of the lesson's table, unless it says
    gbps(...), share(...)         its rate, and that as a share of the roof, from 0 to 1
    cell(NN PROGRAM.TABLE; ROW; COLUMN)    one number of an experiment

are looked up in results/h200 (or, after `claim emulator-h200:`, in that folder); numbers, + - * /, < <= > >=, chains of
these and `and` do the rest. What is not in the results, or no longer true there, is one line with the figures.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..core import numbers
from ..core.console import CourseError
from ..core.paths import RESULTS, ROOT
from . import saved
from .saved import Document, Results

_COMMENT = re.compile(r"<!--\s*claim(?:\s+([\w-]+))?:\s*(.*?)\s*-->", re.DOTALL)
_LOOKUP = re.compile(r"\b(us|gbps|share|cell)\(((?:[^()]|\([^()]*\))*)\)")  # a name in it may have () of its own
_USUAL = "h200"
_COMPARE = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
_COUNT = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


@dataclass(frozen=True)
class Claim:
    page: Path
    line: int
    folder: str
    words: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT) if self.page.is_relative_to(ROOT) else self.page.name}:{self.line}"


class Wrong(Exception):
    """A claim that nobody can judge: one sentence."""


def claims(page: Path) -> Iterator[Claim]:
    text = page.read_text(encoding="utf-8")
    for found in _COMMENT.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Claim(page, line, found[1] or _USUAL, " ".join(found[2].split()))


def pages(root: Path = ROOT) -> list[Path]:
    return [root / "README.md", *sorted(root.glob("lessons/*/*.md")), *sorted(root.glob("docs/*.md"))]


def faults(among: list[Path]) -> list[str]:
    """One line for each claim that does not hold."""
    read: dict[str, Results] = {}
    found = []
    for claim in (claim for page in among for claim in claims(page)):
        try:
            if claim.folder not in read:
                read[claim.folder] = saved.load(RESULTS / claim.folder)
            holds, figures = judged(read[claim.folder], claim.words)
        except (Wrong, CourseError) as error:
            found.append(f"{claim}: the claim '{claim.words}' cannot be judged: {error}")
            continue
        if not holds:
            found.append(f"{claim}: the results no longer say '{claim.words}': {figures}")
    return found


def judged(results: Results, words: str) -> tuple[bool, str]:
    """Whether it holds, and the claim with figures in place of what it names."""
    figures = _LOOKUP.sub(lambda match: repr(_looked_up(results, match[1], match[2])), words)
    try:
        tree = ast.parse(figures, mode="eval").body
    except SyntaxError:
        raise Wrong("it is no comparison") from None
    return _holds(tree), figures


def _holds(node: ast.expr) -> bool:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return all(_holds(each) for each in node.values)
    if not isinstance(node, ast.Compare):
        raise Wrong("it compares nothing")
    sides = [_number(side) for side in (node.left, *node.comparators)]
    if any(type(each) not in _COMPARE for each in node.ops):
        raise Wrong("only <, <=, > and >= compare")
    pairs = zip(node.ops, sides[:-1], sides[1:], strict=True)
    return all(_COMPARE[type(each)](left, right) for each, left, right in pairs)


def _number(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _COUNT:
        return float(_COUNT[type(node.op)](_number(node.left), _number(node.right)))
    raise Wrong("a claim holds numbers, + - * / and us(), gbps(), share(), cell()")


def _looked_up(results: Results, kind: str, words: str) -> float:
    if kind == "cell":
        return _cell(results, words)
    parts = words.split()
    type_ = next((part for part in parts[2:] if part in ("f32", "i32")), "")
    size = next((1 << int(part[2:]) for part in parts[2:] if re.fullmatch(r"2\^\d+", part)), 0)
    if len(parts) < 2 or len(parts) != 2 + bool(type_) + bool(size):
        raise Wrong(f"'{kind}({words})' is not {kind}(NN RUNG [f32|i32] [2^K])")
    for document in _documents(results, parts[0], type_ or "f32", size):
        row = next((row for row in document["rows"] if row["id"] == parts[1] and "median_us" in row), None)
        if row is not None:
            gbps = float(row["gbps"])
            return {"us": float(row["median_us"]), "gbps": gbps, "share": gbps / results.roof_gbps}[kind]
    where = f" at {numbers.size(size)}" if size else ""
    raise Wrong(f"the results hold no {parts[1]} of lesson {parts[0]}{where}")


def _documents(results: Results, lesson: str, type_: str, size: int) -> Iterator[Document]:
    """The table of the lesson first, then what was run at other sizes."""
    for part in (saved.LADDER, saved.SWEEP) if size else (saved.LADDER,):
        for document in results.part(part, type_):
            if document["lesson"].startswith(lesson + "_") and size in (0, document["n"]):
                yield document
    for document in results.part(saved.FAMILIES):
        for family in document["families"] if document["lesson"].startswith(lesson + "_") else ():
            if size in (0, family["n"]):
                yield family


def _cell(results: Results, words: str) -> float:
    parts = [part.strip() for part in words.split(";")]
    where = re.fullmatch(r"(\d\d) (\w+)\.([\w.]+)", parts[0])
    if where is None or len(parts) != 3:
        raise Wrong(f"'cell({words})' is not cell(NN PROGRAM.TABLE; ROW; COLUMN)")
    for document in results.part(saved.EXPERIMENT):
        if not document["lesson"].startswith(where[1] + "_") or document["name"] != where[2]:
            continue
        for table in (table for table in document["tables"] if table["id"] == where[3]):
            column = table["columns"].index(parts[2]) if parts[2] in table["columns"] else -1
            row = next((row for row in table["rows"] if str(row[0]) == parts[1]), None)
            if row is None or column < 0 or not isinstance(row[column], (int, float)):
                raise Wrong(f"the table {parts[0]} has no number at '{parts[1]}', '{parts[2]}'")
            return float(row[column])
    raise Wrong(f"the results hold no table {parts[0]}")
