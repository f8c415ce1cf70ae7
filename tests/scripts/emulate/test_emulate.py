# SPDX-License-Identifier: MIT
"""`course emulate`: its options, and whole runs of programs as a user starts them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import result_schemas
from elf_samples import make_elf
from exercise_samples import needs_emulator

from warpladder import cli
from warpladder.build import backend
from warpladder.build.backend import Backend
from warpladder.core import devices
from warpladder.core.console import Console, CourseError
from warpladder.emulate import settings
from warpladder.setup import machine
from warpladder.verbs import emulate

ROOT = Path(__file__).resolve().parents[3]


def course(*words: str, cwd: Path, text: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "course"), "emulate", *words]
    return subprocess.run(command, cwd=cwd, env={**os.environ, **env}, input=text, capture_output=True, text=True)


def code_of(words: list[str]) -> int:
    try:
        return cli.main(["emulate", *words])
    except SystemExit as end:
        return int(str(end.code))


# What can be set.


def test_every_setting_of_the_emulator_has_an_option() -> None:
    """In its source, in its documentation and here: the same list."""
    code = "".join(file.read_text(encoding="utf-8") for file in backend.sources())
    read = set(re.findall(r'"(WARPLADDER_[A-Z_]+)"', code))
    page = (ROOT / "docs" / "emulator.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(WARPLADDER_\w+)` \| ((?:`--[\w-]+`(?:, )?)+)", page, re.MULTILINE)
    documented = {variable: re.findall(r"--[\w-]+", options) for variable, options in rows}
    offered: dict[str, list[str]] = {}
    for setting in settings.SETTINGS:
        offered.setdefault(setting.variable, []).append(setting.option)
    assert read == {*offered, "WARPLADDER_RECORD"}  # which is for the grader, who calls no `emulate`
    assert documented == offered


def test_the_devices_are_those_of_the_emulator() -> None:
    table = (ROOT / "emulator" / "devices" / "profile.cpp").read_text(encoding="utf-8")
    names = re.search(r"kProfiles = \{(.*)\};", table)
    assert names is not None
    profiles = re.findall(r"\w+(?=\(\))", names.group(1))
    assert sorted(devices.known()) == sorted(profiles)
    assert profiles[0] == devices.DEFAULT
    assert {name: device.sm for name, device in devices.known().items()} == {
        "h200": 90,
        "rtx4090": 89,
        "a100": 80,
        "t4": 75,
    }


def settings_of(*words: str, **outer: str) -> dict[str, str]:
    options = cli.make_parser().parse_args(["emulate", *emulate.sort_words([*words, "program"])])
    return settings.environment(options, outer)


def test_options_become_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert settings_of() == {}
    words = ["--device", "t4", "--devices", "2", "--schedule=pct:7:4", "--memory", "weak", "--instruction-limit", "0"]
    assert settings_of(*words, "--trace", "--trace-kernel", "take", "--counters", "1", "--annotate-to", "0") == {
        "WARPLADDER_DEVICE": "t4",
        "WARPLADDER_DEVICES": "2",
        "WARPLADDER_SCHEDULE": "pct:7:4",
        "WARPLADDER_MEMORY": "weak",
        "WARPLADDER_INSTRUCTION_LIMIT": "0",
        "WARPLADDER_TRACE": "1",
        "WARPLADDER_TRACE_KERNEL": "take",
        "WARPLADDER_COUNTERS": str(tmp_path / "1"),  # a file of that name, not a switch
        "WARPLADDER_ANNOTATE": str(tmp_path / "0"),
    }
    assert settings_of("--device", "h200,a100", "--peers=0-1", "--fail", "1:3") == {
        "WARPLADDER_DEVICE": "h200,a100",
        "WARPLADDER_PEERS": "0-1",
        "WARPLADDER_FAIL": "1:3",
    }
    assert settings_of("--check") == {"WARPLADDER_CHECK": "all"}
    assert settings_of("--check=race,init", "--check-to", "found.sarif") == {
        "WARPLADDER_CHECK": "race,init",
        "WARPLADDER_CHECK_TO": str(tmp_path / "found.sarif"),
    }
    assert settings_of("--memory", "weak", WARPLADDER_SCHEDULE="random:1") == {"WARPLADDER_MEMORY": "weak"}
    assert list(tmp_path.iterdir()) == []


def test_a_device_in_the_environment_is_checked_too() -> None:
    assert settings.device({"WARPLADDER_DEVICE": "a100"}).sm == 80
    assert settings.device({"WARPLADDER_DEVICE": "h200,t4,a100"}).sm == 75
    assert settings.device({"WARPLADDER_DEVICE": ""}).id == devices.DEFAULT
    with pytest.raises(CourseError, match="WARPLADDER_DEVICE: 'k80'") as error:
        settings.device({"WARPLADDER_DEVICE": "k80"})
    assert error.value.exit_code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name a .cu file or a program"),
        (["--device", "h100", "a.cu"], "there are: h200, rtx4090, a100, t4"),
        (["--device"], "expected one argument"),
        (["--devices", "0", "a.cu"], "from 1 to 16"),
        (["--devices", "17", "a.cu"], "from 1 to 16"),
        (["--devices", "two", "a.cu"], "from 1 to 16"),
        (["--check=speed", "a.cu"], "'speed' is no check (there are: race, init, sync, api, leak, all)"),
        (["--check-to", "found.json", "a.cu"], "--check-to goes with --check"),
        (["--schedule", "fifo:1", "a.cu"], "no schedule"),
        (["--schedule", "lockstep", "--memory", "weak", "a.cu"], "needs a seed"),
        (["--schedule", "random:", "a.cu"], "no schedule"),
        (["--schedule", "random:1:2", "a.cu"], "no schedule"),
        (["--schedule", f"random:{2**64}", "a.cu"], "no schedule"),
        (["--schedule", "pct:1:0", "a.cu"], "no schedule"),
        (["--schedule", "pct:1:1001", "a.cu"], "no schedule"),
        (["--memory", "strange", "a.cu"], "strong or weak"),
        (["--memory", "weak", "a.cu"], "needs a seed"),
        (["--instruction-limit", "-1", "a.cu"], "number of warp instructions"),
        (["--instruction-limit", str(2**64), "a.cu"], "number of warp instructions"),
        (["--counters", ".", "a.cu"], "is a folder"),
        (["--counters", "", "a.cu"], "must have a name"),
        (["--annotate-to", "no/where", "a.cu"], "there is no folder"),
        (["--annotate", "--annotate-to", "x", "a.cu"], "only one of them"),
        (["--trace-to", "no/where", "a.cu"], "there is no folder"),
        (["--trace-kernel", "k", "a.cu"], "goes with --trace"),
        (["-o", "no/where", "a.cu"], "there is no folder"),
        (["--fast", "a.cu"], "--fast"),
        (["--dev", "t4", "a.cu"], "--dev"),  # half a name is none
        (["-x", "a.cu"], "-x"),
        (["none.cu"], "there is no file none.cu"),
        ([""], "there is no file"),
        (["a"], "there is no file a; is a.cu meant?"),
        (["."], "is a folder"),
        (["folder.cu"], "is a folder"),
        (["--with", "none.cu", "a.cu"], "there is no file none.cu"),
        (["--with", "text", "a.cu"], "nvcc knows files that end in"),
        (["--nvcc-flags", "-cudart static", "a.cu"], "leave out -cudart"),
        (["--nvcc-flags=-o x", "a.cu"], "leave out -o"),
        (["--nvcc-flags", "'", "a.cu"], "no closing quotation"),
        (["--nvcc-flags", "-O1 -c", "a.cu"], "leave out -c: nvcc makes no program"),
        (["-O", "a.cu"], "-O"),
        (["-I", "x", "text"], "-I is for source files"),
        (["--nvcc-flags", "-O1", "text"], "--nvcc-flags is for source files"),
        (["text"], "neither a .cu file nor a program"),
        (["script"], "not executable: `chmod +x script`"),
    ],
)
def test_wrong_input_gets_one_line_and_nothing_is_started(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("WARPLADDER_SCHEDULE", "WARPLADDER_TRACE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(backend, "choose", lambda *_: pytest.fail("something was built"))
    monkeypatch.setattr(backend, "find_emulator", lambda: pytest.fail("something was started"))
    (tmp_path / "folder.cu").mkdir()
    (tmp_path / "a.cu").write_text("")
    (tmp_path / "text").write_text("text\n")
    (tmp_path / "script").write_text("#!/bin/sh\n")
    assert code_of(words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1


def test_what_follows_the_program_is_its_own() -> None:
    words = ["--device", "t4", "-D", "N=1", "--nvcc-flags", "-rdc=true", "-v", "p", "--device", "x", "--", "-v"]
    options = cli.make_parser().parse_args(["emulate", *emulate.sort_words(words)])
    assert options.command[-5:] == ["p", "--device", "x", "--", "-v"]
    assert (options.device, options.D, options.nvcc_flags, options.verbose) == ("t4", ["N=1"], ["-rdc=true"], True)
    assert emulate.sort_words(["--trace", "--", "-p", "--", "x"]) == ["--trace", "--", "-p", "--", "x"]


# What is started, and how.


def started(monkeypatch: pytest.MonkeyPatch, emulator: Path | None, *words: str) -> tuple[list[str], dict[str, str]]:
    """The words and the variables of the program that this process would become."""
    calls: list[tuple[list[str], dict[str, str]]] = []

    def choose(console: Console, name: str) -> Backend:
        console.say("building the emulator")
        return Backend("nvcc", False, Path("/made"))

    def become(path: Path, words: list[str], environment: dict[str, str]) -> None:
        calls.append((words, environment))
        raise OSError(8, "Exec format error")

    monkeypatch.setattr(backend, "find_emulator", lambda: emulator)
    monkeypatch.setattr(backend, "choose", choose)
    monkeypatch.setattr(os, "execve", become)
    monkeypatch.setattr(signal, "signal", lambda number, action: None)
    assert code_of(list(words)) == 2
    return calls[0]


def test_an_emulator_that_is_missing_is_built_and_standard_output_stays_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    make_elf(tmp_path / "program", needed=["libcudart.so.13"])
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    words, environment = started(monkeypatch, None, "program", "x")
    assert (words, environment["LD_LIBRARY_PATH"]) == (["./program", "x"], "/made")
    assert "LD_PRELOAD" not in environment
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[1:]) == ("", ["course: ./program cannot be started: Exec format error"])
    assert err.splitlines()[0].endswith("building the emulator")


def test_the_emulator_goes_before_what_the_user_has_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "libcudart.so.13").touch()
    program = make_elf(tmp_path / "program", needed=["libcudart.so.13"], rpath="$ORIGIN")
    for name, value in (("LD_LIBRARY_PATH", "/mine"), ("LD_PRELOAD", "mine.so"), ("WARPLADDER_DEVICE", "a100")):
        monkeypatch.setenv(name, value)
    words, environment = started(monkeypatch, Path("/lib"), "--device", "t4", str(program))
    assert words == [str(program)]
    assert environment["LD_LIBRARY_PATH"] == "/lib:/mine"
    assert environment["LD_PRELOAD"] == "/lib/libcudart.so.13:mine.so"
    assert environment["WARPLADDER_DEVICE"] == "t4"


# Whole runs.

PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <cuda/std/version>
#include "factor.h"
__global__ void scale(int* v) { v[threadIdx.x] *= kFactor; }
int main(int count, char** words) {
  int n = 0, devices = 0, *v = nullptr;
  if (count > 1 && words[1][0] == 'a') abort();
  if (scanf("%d", &n) != 1) return 9;
  cudaDeviceProp gpu{};
  cudaGetDeviceProperties(&gpu, 0);
  cudaGetDeviceCount(&devices);
  cudaMallocManaged(&v, sizeof(int));
  *v = n;
  scale<<<1, 1>>>(v);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%d %s, %d of %d.%d\\n", *v, cudaGetErrorName(error), devices, gpu.major, gpu.minor);
  for (int i = 1; i < count; ++i) printf("[%s]", words[i]);
  fprintf(stderr, "done\\n");
  return 7;
}
"""


@needs_emulator
def test_a_source_file_runs_as_a_program_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "my scale.cu").write_text(PROGRAM)
    (tmp_path / "factor.h").write_text("constexpr int kFactor = 3;")
    words = [
        "--device",
        "t4",
        "--devices",
        "2",
        "--counters",
        "c.json",
        "-o",
        "kept",
        "my scale.cu",
        "--device",
        "",
        "-v",
    ]
    first = course(*words, cwd=tmp_path, text="14")
    assert (first.returncode, first.stdout) == (7, "42 cudaSuccess, 2 of 7.5\n[--device][][-v]")
    assert first.stderr.splitlines() == ["course: compiling my scale.cu", "done"]
    counters = json.loads((tmp_path / "c.json").read_text())
    result_schemas.check(counters, "counters")
    (launch,) = counters["launches"]
    assert launch["kernel"] == "scale(int*)"
    again = course(*words, cwd=tmp_path, text="14")
    assert (again.stdout, again.stderr) == (first.stdout, "done\n")

    # The program that was kept holds PTX for every GPU from that one on.
    kept = course("./kept", cwd=tmp_path, text="1", WARPLADDER_DEVICE="h200")
    assert (kept.returncode, kept.stdout, kept.stderr) == (7, "3 cudaSuccess, 1 of 9.0\n", "done\n")
    assert course("kept", "abort", cwd=tmp_path).returncode == -signal.SIGABRT  # a shell makes 134 of it

    (tmp_path / "my scale.cu").write_text("__global__ void k() { oops; }")
    wrong = course("my scale.cu", cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert 'my scale.cu(1): error: identifier "oops" is undefined' in wrong.stderr
    assert wrong.stderr.splitlines()[-1] == "course: my scale.cu does not compile"


@needs_emulator
def test_a_search_path_in_the_program_does_not_bring_another_runtime(tmp_path: Path) -> None:
    """DT_RPATH goes before LD_LIBRARY_PATH; a compiler of another system may write it without being asked."""
    nvcc = machine.find_nvcc()
    assert nvcc is not None
    toolkit = next(Path(nvcc).resolve().parent.parent.glob("lib*/libcudart.so.13"), None)
    if toolkit is None:
        pytest.skip("the toolkit has no libcudart.so.13 of its own")
    compiler = machine.tool("g++")
    source = tmp_path / "name.cpp"
    source.write_text(
        '#include <cstdio>\nextern "C" int cudaGetDeviceCount(int*);\n'
        'int main() { int n = -1; cudaGetDeviceCount(&n); std::printf("%d\\n", n); }'
    )
    command = [str(compiler), str(source), str(toolkit), "-Wl,--disable-new-dtags", f"-Wl,-rpath,{toolkit.parent}"]
    subprocess.run([*command, "-o", str(tmp_path / "name")], check=True)
    run = course("--devices", "3", "-v", "./name", cwd=tmp_path)
    assert run.stdout == "3\n"
    assert "LD_PRELOAD=" in run.stderr


@needs_emulator
def test_a_script_finds_the_emulator(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text('#!/bin/sh\necho "$LD_LIBRARY_PATH:$WARPLADDER_MEMORY" "$@"; cat; kill -PIPE $$')
    script.chmod(0o755)
    run = course("--memory", "strong", "script", "a b", cwd=tmp_path, text="in", LD_LIBRARY_PATH="/old")
    assert run.stdout == f"{backend.find_emulator()}:/old:strong a b\nin"
    assert run.returncode == -signal.SIGPIPE  # which Python ignores, and its children with it
