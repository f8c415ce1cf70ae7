# SPDX-License-Identifier: MIT
"""The runner of the CUDA programs, with shell scripts in place of programs."""

from __future__ import annotations

from pathlib import Path

import pytest
import run_program


def make(tmp_path: Path, script: str, directives: str = "", expected: str | None = None) -> list[str]:
    source = tmp_path / "case.cu"
    source.write_text(f"// SPDX-License-Identifier: MIT\n{directives}\n#include <cstdio>\n// expect-exit: 9\n")
    program = tmp_path / "case"
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(0o755)
    if expected is not None:
        source.with_suffix(".expected").write_text(expected)
    return ["--source", str(source), str(program)]


def test_directives_are_read_from_the_leading_comment_only() -> None:
    found = run_program.parse_directives(
        '// SPDX-License-Identifier: MIT\n// args: a "b c"\n// env: X=1=2\n// timeout: 5\n\n'
        "// expect-exit: 3\n// expect-stderr: out of .*\n// expect-stderr: x\n// arch: 75-virtual\n"
        "// gpu: skip not a GPU matter\nint x;\n// expect-exit: 4\n"
    )
    assert found.args == ["a", "b c"]
    assert found.env == {"X": "1=2"}
    assert (found.timeout, found.exit_code, found.arch) == (5.0, 3, "75-virtual")
    assert found.stderr == ["out of .*", "x"]
    assert found.gpu_skip == "not a GPU matter"


@pytest.mark.parametrize("line", ["// expect-stdout: x", "// gpu: maybe", "// env: X", "// expect-stderr: ("])
def test_a_wrong_directive_is_refused(line: str, tmp_path: Path) -> None:
    assert run_program.main(make(tmp_path, "exit 0", line)) == 2


def test_equal_output_passes(tmp_path: Path) -> None:
    assert run_program.main(make(tmp_path, 'echo "$1 $X"', "// args: hello\n// env: X=you", "hello you\n")) == 0


def test_the_first_different_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program.main(make(tmp_path, "echo a; echo b", expected="a\nc\n")) == 1
    assert "FAIL case.cu: stdout line 2: expected 'c', got 'b'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("expected", "actual", "message"),
    [
        ("a\n", "a\n", ""),
        ("a\nb\n", "a\n", "stdout ends after 1 of 2 lines: next expected 'b'"),
        ("a\n", "a\nb\n", "stdout has 2 lines, 1 were expected: first surplus 'b'"),
        ("a\n", "a", "stdout differs in line ends only"),
    ],
)
def test_differences_in_length(expected: str, actual: str, message: str) -> None:
    assert run_program.first_difference(expected, actual) == message


def test_a_wrong_exit_code_or_a_signal_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program.main(make(tmp_path, "exit 4")) == 1
    assert "expected exit code 0, got exit code 4" in capsys.readouterr().out
    assert run_program.main(make(tmp_path, "kill -SEGV $$")) == 1
    assert "signal SIGSEGV" in capsys.readouterr().out


def test_stderr_patterns_count_on_the_emulator_only(tmp_path: Path) -> None:
    arguments = make(tmp_path, "echo nothing >&2; exit 1", "// expect-exit: 1\n// expect-stderr: out of bounds")
    assert run_program.main(arguments) == 1
    assert run_program.main(["--backend", "gpu", *arguments]) == 0


def test_programs_that_do_not_apply_are_skipped_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = make(tmp_path, "exit 0", "// gpu: skip emulator message\n// arch: 90-virtual")
    assert run_program.main(["--backend", "gpu", *arguments]) == run_program.SKIPPED
    assert capsys.readouterr().out == "skipped: emulator message\n"
    arguments = make(tmp_path, "exit 0", "// arch: 90-virtual")
    assert run_program.main(["--backend", "gpu", "--cc", "80", *arguments]) == run_program.SKIPPED
    assert run_program.main(["--backend", "gpu", "--cc", "90", *arguments]) == 0


def test_a_program_that_hangs_is_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_program.main(make(tmp_path, "exec sleep 30", "// timeout: 0.2")) == 1
    assert "still running after 0.2 s" in capsys.readouterr().out


def test_the_emulators_settings_of_the_caller_do_not_reach_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARPLADDER_DEVICE", "t4")
    assert run_program.main(make(tmp_path, 'echo "[$WARPLADDER_DEVICE]"', expected="[]\n")) == 0


def test_update_writes_the_expected_file_unless_the_exit_code_is_wrong(tmp_path: Path) -> None:
    assert run_program.main(["--update", *make(tmp_path, "echo new", expected="old\n")]) == 0
    assert (tmp_path / "case.expected").read_text() == "new\n"
    assert run_program.main(["--update", *make(tmp_path, "echo bad; exit 1")]) == 1
    assert (tmp_path / "case.expected").read_text() == "new\n"
