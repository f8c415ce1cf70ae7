# SPDX-License-Identifier: MIT
"""`course test NAME`: which tests a word means, what is built for them, and what is said at the end."""

from __future__ import annotations

import argparse
import ast
import threading
from pathlib import Path

import pytest

from warpladder import cli
from warpladder.build import cmake
from warpladder.core.console import Console, CourseError
from warpladder.setup import machine, provision
from warpladder.testing import suite
from warpladder.testing.junit import Totals
from warpladder.testing.suite import Compiled, Part, Script
from warpladder.verbs import test as verify

BUILD = Path("/b/default")
RUNGS = Compiled("rungs.04_warp_shuffle.sizes", ("lesson", "emulator"), (f"{BUILD}/bin/test_rungs_04", "-#", "[#x]"))
PROGRAM = Compiled("program.warp.shuffle", ("program",), ("python3", "run.py", f"{BUILD}/programs/warp/shuffle"))
LINKING = Compiled("linking.static", ("program",), ("python3", "--lib", f"{BUILD}/lib"))
STYLE = Compiled("style.format", ("style",), ("python3", "check_format.py"))
ODD = Compiled("odd.one", (), ("python3", f"{BUILD}/somewhere/else"))
COMPILED = (RUNGS, PROGRAM, LINKING, STYLE, ODD)
WATCH = Script("test_watch.test_a_reset_asks_first", "test_watch.py::test_a_reset_asks_first", False)
LINT = Script("test_lint.test_all_wrong_answers", "test_lint.py::test_all_wrong_answers", True)
SCRIPTS = (WATCH, LINT)
OUTPUTS = frozenset(("bin/test_rungs_04", "programs/warp/shuffle", "lessons"))


def chosen(*words: str, long: bool = False) -> list[str]:
    part = suite.choose(words, COMPILED, SCRIPTS, long)
    return [test.name for test in part.compiled] + [test.name for test in part.scripts]


HEAVY = {"dask", "distributed", "matplotlib", "pandas", "scipy", "sklearn"}


def imported_at_once(text: str) -> set[str]:
    """What a module imports before anything in it is called."""
    found = set()
    for item in ast.parse(text).body:
        if isinstance(item, ast.Import):
            found |= {name.name.partition(".")[0] for name in item.names}
        elif isinstance(item, ast.ImportFrom):
            found.add((item.module or "").partition(".")[0])
    return found


def test_listing_the_tests_imports_nothing_that_takes_seconds() -> None:
    """pytest lists all of them in each of its processes, and whoever wants one test waits for that, too."""
    assert imported_at_once("import scipy.linalg\nfrom sklearn import base\ndef f():\n    import dask\n") & HEAVY == {
        "scipy",
        "sklearn",
    }
    files = sorted(suite.PYTHON_TESTS.rglob("*.py"))
    assert [file.name for file in files if imported_at_once(file.read_text(encoding="utf-8")) & HEAVY] == []


def test_a_word_is_a_part_of_a_name_or_a_label() -> None:
    assert chosen("warp") == [RUNGS.name, PROGRAM.name]
    assert chosen("04") == [RUNGS.name]
    assert chosen("program") == [PROGRAM.name, LINKING.name]
    assert chosen("watch") == chosen("scripts.test_watch") == chosen("Reset") == [WATCH.name]
    assert chosen("rungs", "watch", "warp_shuffle") == [RUNGS.name, WATCH.name]
    assert chosen("wrong_answers", long=True) == [LINT.name]


def test_a_word_that_means_nothing_gets_near_ones_and_exit_code_2() -> None:
    with pytest.raises(CourseError, match="no test has 'rugns' in its name.*did you mean rungs") as error:
        chosen("rungs", "rugns")
    assert error.value.exit_code == 2
    with pytest.raises(CourseError, match="only long tests have 'wrong_answers' in their name; add --long"):
        chosen("wrong_answers")


def test_only_what_the_tests_are_given_is_built() -> None:
    def targets(*tests: Compiled, scripts: tuple[Script, ...] = ()) -> list[str] | None:
        return suite.targets_of(Part(tests, scripts), BUILD, OUTPUTS)

    assert targets(RUNGS, PROGRAM, STYLE) == ["bin/test_rungs_04", "programs/warp/shuffle"]
    assert targets(STYLE) == []
    assert targets(LINKING) == ["emu_cudart_shared", "emu_cudart_static"]
    assert targets(STYLE, scripts=(WATCH,)) == ["emu_cudart_shared"]
    assert targets(RUNGS, ODD) is None, "everything"


def test_names_are_given_to_ctest_literally() -> None:
    assert suite.pattern_of((RUNGS, Compiled("a+b", (), ()))) == r"^(rungs\.04_warp_shuffle\.sizes|a\+b)$"


def test_commands_are_read_as_cmake_wrote_them(tmp_path: Path) -> None:
    text = (
        'add_test([=[unit.ptx.debug]=] "/b/bin/test_ptx" "-#" "[#debug.test]")\nset_tests_properties([=[x]=] P "1")\n'
    )
    text += 'if(X)\n  add_test([==[long]==] "/b/bin/long")\nendif()\nadd_test("as.by.cmake_4" "/b/bin/four" "--all")\n'
    (tmp_path / "CTestTestfile.cmake").write_text(text)
    assert suite.recorded_commands(tmp_path) == {
        "unit.ptx.debug": ("/b/bin/test_ptx", "-#", "[#debug.test]"),
        "long": ("/b/bin/long",),
        "as.by.cmake_4": ("/b/bin/four", "--all"),
    }


def test_python_tests_are_read_from_the_source() -> None:
    names = [test.name for test in suite.script_tests()]
    assert "test_suite.test_python_tests_are_read_from_the_source" in names
    assert len(names) == len(set(names)) > 200
    assert any(test.long for test in suite.script_tests()), "and the marker of the long ones is seen"


@pytest.mark.parametrize(
    ("words", "told"),
    (
        (["rungs", "--filter", "x"], "use one of them"),
        (["--jobs", "0"], "'0' is not a number of jobs"),
        (["--filter", "("], "no regular expression"),
        (["--filter", "zzzz"], "no ctest test matches 'zzzz'"),
        (["zzzzzz"], "no test has 'zzzzzz'"),
    ),
)
def test_wrong_input_gets_one_line_and_exit_code_2(
    words: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(provision, "ensure_nvcc", lambda *_: "nvcc")
    monkeypatch.setattr(provision, "find_python", lambda: "python3")
    monkeypatch.setattr(machine, "build_environment", lambda nvcc: {})
    monkeypatch.setattr(cmake, "configure", lambda *_, **__: True)
    monkeypatch.setattr(cmake, "compile", lambda *_, **__: pytest.fail("nothing is to be built"))
    monkeypatch.setattr(suite, "compiled_tests", lambda *words: [] if words[-1] else list(COMPILED))
    code: str | int | None
    try:
        code = cli.main(["test", "--no-setup", *words])
    except SystemExit as end:
        code = end.code
    error = capsys.readouterr().err
    assert code == 2
    assert len(error.splitlines()) == 1 and told in error


def test_the_end_names_the_slowest_tests_and_the_stages(capsys: pytest.CaptureFixture[str]) -> None:
    totals = Totals(passed=12, skipped=1, seconds={f"test.{i}": float(i) for i in range(12)})
    stages = verify.Stages()
    stages.end("set-up")
    stages.end("build")
    assert verify._report(Console(), totals, stages) == 0
    lines = capsys.readouterr().out.splitlines()
    table = lines[lines.index("the slowest tests:") + 1 :][:10]
    assert [line.split()[-1] for line in table] == [f"test.{i}" for i in range(11, 1, -1)]
    assert lines[-2] == "time: 0 s (set-up 0 s, build 0 s)"
    assert lines[-1] == "12 passed, 0 failed, 1 skipped"
    assert (verify.duration(59.6), verify.duration(724)) == ("1 min 0 s", "12 min 4 s")


@pytest.mark.parametrize("long", [False, True])
def test_both_kinds_of_tests_run_beside_each_other_but_for_the_long_ones(
    long: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    both, logs = threading.Barrier(2), []

    def run(console: Console, title: str, command: list[str], log: str, *_: object, **__: object) -> int:
        logs.append((log, command[command.index("-j" if log == "ctest.log" else "-n") + 1]))
        if not long:
            both.wait(timeout=60)  # one alone would wait in vain
        return 0

    monkeypatch.setattr(Console, "run", run)
    monkeypatch.setattr(Console, "explain_failure", lambda *_, **__: None)
    monkeypatch.setattr(verify, "_fresh", lambda junit: tmp_path / junit.name)
    monkeypatch.setattr(machine, "output_of", lambda command: "yes")
    options = argparse.Namespace(long=long, jobs=4, preset="default")
    totals = verify._Tests(Console(), options, {}, suite.Part(tuple(COMPILED), ()), False, "python3").run()
    assert sorted(logs) == [("ctest.log", "4"), ("pytest.log", "5")]
    assert len(totals.failed) == 2  # neither left a record of its tests


def test_what_a_test_builds_is_built_with_all_else() -> None:
    tests = [
        suite.Compiled("headers.x", (), ("cmake", "--build", "folder", "--target", "headers_x")),
        suite.Compiled("other", (), ("program", "--target")),
    ]
    assert suite.built_by([*tests, *COMPILED]) == ["headers_x"]
