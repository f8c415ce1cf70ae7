# SPDX-License-Identifier: MIT
"""scripts/quote_machine_code.py: what it reads in cuobjdump's output; long: the chapters show what nvcc makes."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import quote_machine_code as quote
from warpladder.core.paths import LESSONS, ROOT

SAID = """
	code for sm_90
		Function : _Z5otherv
        /*0000*/                   EXIT ;                        /* 0x000000000000794d */
		Function : _Z4waitI7EndlessEv
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;        /* 0x00000a00ff017b82 */
                                                                 /* 0x000fe20000000800 */
        /*0010*/                   LD.E.STRONG.GPU R0, [R2] ;    /* 0x0000000402007980 */
        /*0020*/                   YIELD ;                       /* 0x0000000000007946 */
        /*0030*/              @!P0 BRA 0x10 ;                    /* 0x0000000000248947 */
"""
LOOP = "0010  LD.E.STRONG.GPU R0, [R2]\n0020  YIELD\n0030  @!P0 BRA 0x10\n"


@pytest.fixture
def _no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quote, "functions", lambda source, places: quote.disassembled(SAID))


def page(mark: str, block: str | None = None) -> str:
    return f"Look:\n\n<!-- machine code: a/b.cu {mark} -->\n" + ("" if block is None else f"```text\n{block}```\n")


def made(text: str) -> str:
    for match, right in quote.written(text, "a", ""):
        text = text.replace(match[0], right)
    return text


def test_every_kernel_with_its_instructions() -> None:
    found = quote.disassembled(SAID)
    assert list(found) == ["_Z5otherv", "_Z4waitI7EndlessEv"]
    assert [each.name for each in found["_Z4waitI7EndlessEv"]] == ["LDC", "LD.E.STRONG.GPU", "YIELD", "BRA"]


@pytest.mark.usefixtures("_no_compiler")
def test_a_block_gets_the_part_that_is_asked_for() -> None:
    mark = "wait Endless; LD.E to BRA"
    assert made(page(mark, "old\n")) == page(mark, LOOP)
    assert made(page(mark, LOOP)) == page(mark, LOOP)


@pytest.mark.usefixtures("_no_compiler")
def test_a_sentence_about_an_instruction_is_judged() -> None:
    for mark in ("wait; has YIELD", "other; has no YIELD"):
        assert made(page(mark)) == page(mark)


@pytest.mark.usefixtures("_no_compiler")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (page("wait; has REDUX"), "a: wait of a/b.cu: 'has REDUX' is not true"),
        (page("wait; has no YIELD"), "'has no YIELD' is not true"),
        (page("nobody; has YIELD"), "a: no kernel has 'nobody' in its name"),
        (page("_Z; EXIT to BRA", ""), "a: 2 kernels have '_Z' in their names, not one"),
        (page("wait; YIELD to LDC", ""), "a: there is no YIELD with a LDC behind it"),
        (page("wait; YIELD to BRA"), "is neither"),
        (page("wait; everything", ""), "is neither"),
    ],
)
def test_what_is_not_so_is_one_line(text: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        made(text)
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_no_chapter_shows_machine_code_that_nothing_writes() -> None:
    names = re.compile(
        r"^(?:[0-9a-f]{4}  |/\*[0-9a-f]{4}\*/ *)?(?:@!?U?P\d )?(?:LDG|LDS|REDG|ATOMS|YIELD|BRA|ISETP)\b", re.M
    )
    for chapter in LESSONS.glob("*/*.md"):
        text = quote._MARK.sub("", chapter.read_text(encoding="utf-8"))
        blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        assert not any(names.search(block) for block in blocks), chapter


@pytest.mark.long
def test_the_chapters_show_what_nvcc_makes() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "quote_machine_code.py"), "--check", "--fetch"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
