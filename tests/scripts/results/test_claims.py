# SPDX-License-Identifier: MIT
"""What chapters say when they compare is what the results say; and the check of that notices when it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpladder.core.paths import RESULTS
from warpladder.results import claims, saved


def test_the_chapters_say_what_the_results_say() -> None:
    assert claims.faults(claims.pages()) == []


def test_the_lessons_with_measured_tables_have_claims() -> None:
    lessons = {claim.page.parent.name[:2] for page in claims.pages() for claim in claims.claims(page)}
    assert {"01", "02", "03", "04", "05", "06"} <= lessons


MEASURED = saved.load(RESULTS / "h200")


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("us(01 global_atomic) > us(01 shared_atomic)", True),
        ("us(01 global_atomic) < us(01 shared_atomic)", False),
        ("us(05 roofline 2^20) < us(05 roofline)", True),
        ("0.9 < us(04 shuffle_xor i32) / us(04 shuffle_down i32) < 1.1", True),
        ("share(01 global_atomic) < 0.01 and gbps(01 global_atomic) > 0", True),
        ("us(07 hist_match) > 2 * us(07 hist_vector)", True),
        ("cell(06 fences.raise; release, system; 1 thread) > cell(06 fences.raise; release, device; 1 thread)", True),
        ("2 > 1 > 1", False),
    ],
)
def test_what_holds(words: str, holds: bool) -> None:
    assert claims.judged(MEASURED, words)[0] is holds


@pytest.mark.parametrize(
    "words",
    [
        "us(01 nobody) > 1",
        "us(01 global_atomic 2^11) > 1",
        "us(01) > 1",
        "us(01 global_atomic)",
        "us(01 global_atomic) > __import__('os')",
        "us(01 global_atomic) == 1",
        "cell(06 fences.raise; nothing; 1 thread) > 1",
        "cell(06 fences.raise) > 1",
        "1 >",
    ],
)
def test_what_cannot_be_judged_is_one_sentence(words: str) -> None:
    with pytest.raises(claims.Wrong):
        claims.judged(MEASURED, words)


def test_a_claim_that_fails_is_one_line_with_the_figures(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("One.\nIt is slower. <!-- claim:\n us(01 global_atomic)\n < us(01 shared_atomic) -->\n")
    (fault,) = claims.faults([page])
    assert fault.startswith("page.md:2: the results no longer say 'us(01 global_atomic) < us(01 shared_atomic)': 1")
    assert "\n" not in fault
