# SPDX-License-Identifier: MIT
"""Adding up what ctest and pytest report."""

from __future__ import annotations

from pathlib import Path

from warpladder.testing.junit import Totals, read_junit

CTEST = """<testsuite>
<testcase name="unit.semantics.integer" status="run">
 <system-out>All tests passed (120 assertions in 7 test cases)</system-out></testcase>
<testcase name="program.a" status="fail"><failure message="Failed"/><system-out>FAIL a.cu</system-out></testcase>
<testcase name="program.b" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
 <system-out>skipped: needs a GPU</system-out></testcase>
</testsuite>"""


def test_passed_failed_and_skipped_are_counted_apart(tmp_path: Path) -> None:
    file = tmp_path / "ctest.xml"
    file.write_text(CTEST)
    totals = read_junit(file)
    assert totals.line() == "1 passed, 1 failed, 1 skipped"
    assert totals.failed == ["program.a"]
    assert totals.skip_reasons == {"program.b": "skipped: needs a GPU"}
    assert (totals.catch_cases, totals.catch_assertions) == (7, 120)


def test_a_run_that_wrote_no_result_is_a_failure(tmp_path: Path) -> None:
    assert read_junit(tmp_path / "none.xml").line() == "0 passed, 1 failed"
    (tmp_path / "half.xml").write_text("<testsuite><testcase")
    assert read_junit(tmp_path / "half.xml").line() == "0 passed, 1 failed"


def test_totals_add_up() -> None:
    totals = Totals(passed=2, failed=["x"])
    totals.add(Totals(passed=3, skipped=1, failed=["y"]))
    assert totals.line() == "5 passed, 2 failed, 1 skipped"


def test_how_long_each_test_took_is_kept_under_its_whole_name(tmp_path: Path) -> None:
    file = tmp_path / "pytest.xml"
    case = '<testcase classname="tests.scripts.test_watch" name="test_a[x]" time="2.5"/>'
    file.write_text(f"<testsuite>{case}</testsuite>")
    assert read_junit(file, prefix="scripts.").seconds == {"scripts.test_watch.test_a[x]": 2.5}
