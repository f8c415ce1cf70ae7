# SPDX-License-Identifier: MIT
"""What `course emulate` reads of a program before it starts it, and what it says of one that cannot run."""

from __future__ import annotations

from pathlib import Path

import pytest
from elf_samples import LIBRARY, MACHINES, OBJECT, make_elf, make_fatbin

from warpladder.core import devices
from warpladder.core.console import CourseError
from warpladder.emulate import elf, fatbin
from warpladder.emulate import program as emulate_program

H200, T4 = devices.known()["h200"], devices.known()["t4"]
CUDART = "libcudart.so.13"
DRIVER = b"libcuda.so.1\0"  # what NVIDIA's runtime looks for
PTX = {".nv_fatbin": make_fatbin(("ptx", 75, ""), ("sass", 75, ""))}


def refusal(path: Path, device: devices.Device = H200) -> str:
    with pytest.raises(CourseError) as error:
        emulate_program.check(path, device, path.name)
    assert error.value.exit_code == 2
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_the_loader_needs_is_read(tmp_path: Path) -> None:
    sections = {".text": b"code", "__nv_relfatbin": b"12"}
    path = make_elf(tmp_path / "p", needed=[CUDART, "libc.so.6"], rpath="$ORIGIN/lib:/opt", sections=sections)
    program = elf.read(path)
    assert program.needed == (CUDART, "libc.so.6")
    assert (program.rpath, program.runpath) == (("$ORIGIN/lib", "/opt"), ())
    assert program.folders() == [tmp_path / "lib", Path("/opt")]
    assert {name: program.section(name) for name in sections} == sections
    assert program.section(".data") == b""
    assert not program.is_object and not program.is_library
    both = elf.read(make_elf(tmp_path / "both", rpath="/a", runpath="/b"))
    assert (both.rpath, both.runpath) == ((), ("/b",))  # as the loader does


def test_this_interpreter_can_be_read() -> None:
    program = elf.read(Path("/proc/self/exe"))
    assert "libc.so.6" in program.needed
    assert ".text" in program.sections


def test_a_damaged_program_is_refused_and_never_crashes(tmp_path: Path) -> None:
    path = make_elf(tmp_path / "p", needed=[CUDART], sections=PTX)
    whole = path.read_bytes()
    for size in range(4, len(whole) - 64, 7):
        path.write_bytes(whole[:size])
        assert "p is not a whole program" in refusal(path)
    for at in range(16, len(whole), 3):
        path.write_bytes(whole[:at] + b"\xff" + whole[at + 1 :])
        try:
            emulate_program.check(path, H200, "p")
        except CourseError as error:
            assert error.exit_code == 2


def test_code_is_read_from_all_fatbins_of_a_section() -> None:
    first = make_fatbin(("ptx", 90, "a"), ("lto", 90, ""), ("sass", 80, ""))
    section = first + b"\0" * 24 + make_fatbin(("ptx", 100, "f"))
    codes = fatbin.read(section)
    assert [(code.is_ptx, code.arch) for code in codes] == [(True, "sm_90a"), (False, "sm_80"), (True, "sm_100f")]
    for size in range(len(section)):
        assert len(fatbin.read(section[:size])) <= 3
    assert fatbin.read(b"") == []


@pytest.mark.parametrize(
    ("codes", "sm", "runs"),
    [
        ([("ptx", 80, "")], 90, True),
        ([("ptx", 90, "")], 90, True),
        ([("ptx", 90, "a")], 90, True),
        ([("ptx", 80, "a")], 90, False),
        ([("ptx", 100, "f")], 103, True),
        ([("ptx", 100, "f")], 120, False),
        ([("ptx", 100, "")], 90, False),
        ([("sass", 90, "")], 90, False),
        ([("sass", 90, ""), ("ptx", 120, "")], 90, True),  # -arch=all-major
        ([("sass", 80, ""), ("ptx", 120, "")], 90, False),
        ([], 90, False),
    ],
)
def test_which_code_runs_is_as_the_emulator_chooses(codes: list[tuple[str, int, str]], sm: int, runs: bool) -> None:
    assert fatbin.can_run(fatbin.read(make_fatbin(*codes)), sm) == runs


def test_what_can_run(tmp_path: Path) -> None:
    plain = make_elf(tmp_path / "plain", needed=[CUDART], sections=PTX)
    linked = make_elf(tmp_path / "linked", needed=["libc.so.6"], sections=PTX, tail=b"WARPLADDER_DEVICE\0")
    parts = {".nv_fatbin": make_fatbin(("sass", 90, "")), "__nv_relfatbin": make_fatbin(("ptx", 90, ""))}
    separate = make_elf(tmp_path / "separate", needed=[CUDART], sections=parts)
    loads = make_elf(tmp_path / "loads", needed=["libc.so.6"], tail=b"\0dlopen\0")
    make_elf(tmp_path / "libmine.so", needed=[CUDART], sections=PTX, kind=LIBRARY)
    make_elf(tmp_path / "libvideo.so", kind=LIBRARY, tail=DRIVER)
    video = make_elf(tmp_path / "video", needed=[CUDART, "libvideo.so"], runpath="$ORIGIN")
    uses = make_elf(tmp_path / "uses", needed=["libmine.so"], runpath="$ORIGIN")
    unknown = make_elf(tmp_path / "unknown", needed=["libnobody_knows.so"])
    for path in (plain, linked, separate, loads, uses, video, unknown):
        assert emulate_program.check(path, H200, path.name) is False


def test_a_search_path_that_hides_the_emulator_is_seen(tmp_path: Path) -> None:
    (tmp_path / "cuda").mkdir()
    for rpath, runpath, hidden in (("$ORIGIN/cuda", "", False), ("", "$ORIGIN/cuda", False)):
        path = make_elf(tmp_path / "p", needed=[CUDART], sections=PTX, rpath=rpath, runpath=runpath)
        assert emulate_program.check(path, H200, "p") is hidden
    (tmp_path / "cuda" / CUDART).touch()
    for rpath, runpath, hidden in (("/none:$ORIGIN/cuda", "", True), ("", "$ORIGIN/cuda", False)):
        path = make_elf(tmp_path / "p", needed=[CUDART], sections=PTX, rpath=rpath, runpath=runpath)
        assert emulate_program.check(path, H200, "p") is hidden


def test_the_static_runtime(tmp_path: Path) -> None:
    said = "was built with the static runtime: build it with `-cudart shared`"
    saxpy = make_elf(tmp_path / "saxpy", needed=["libc.so.6"], sections=PTX, tail=DRIVER)
    assert refusal(saxpy).startswith(f"saxpy {said}")
    assert said in refusal(make_elf(tmp_path / "host", tail=DRIVER))  # no kernel of its own
    make_elf(tmp_path / "libmine.so", sections=PTX, kind=LIBRARY, tail=DRIVER)
    for needed in (["libmine.so"], ["libmine.so", CUDART]):
        uses = make_elf(tmp_path / "uses", needed=needed, rpath=str(tmp_path))
        assert refusal(uses).startswith(f"libmine.so {said}")


def test_other_runtimes_and_libraries(tmp_path: Path) -> None:
    old = refusal(make_elf(tmp_path / "p", needed=["libcudart.so.12"], sections=PTX))
    assert "libcudart.so.12" in old and "nvcc 13" in old
    assert "driver's interface" in refusal(make_elf(tmp_path / "p", needed=["libcuda.so.1", CUDART]))
    assert "libcublas.so.13, which runs on a real GPU" in refusal(
        make_elf(tmp_path / "p", needed=[CUDART, "libcublas.so.13"])
    )
    assert "not a CUDA program" in refusal(make_elf(tmp_path / "p", needed=["libc.so.6"]))


def test_the_wrong_code(tmp_path: Path) -> None:
    def program(*codes: tuple[str, int, str]) -> Path:
        return make_elf(tmp_path / "p", needed=[CUDART], sections={".nv_fatbin": make_fatbin(*codes)})

    assert "no PTX, which the emulator runs: build it with -arch=sm_90" in refusal(program(("sass", 90, "")))
    new = refusal(program(("ptx", 120, ""), ("ptx", 100, "a")))
    assert new == "p holds PTX for sm_100a, sm_120, and h200 is sm_90: build it with -arch=sm_90"
    assert refusal(program(("ptx", 80, "")), T4).endswith("-arch=sm_75, or run it with --device h200")


def test_files_that_cannot_be_started(tmp_path: Path) -> None:
    (other,) = (name for name in MACHINES if name != elf.read(Path("/proc/self/exe")).machine)
    assert f"was built for {other}" in refusal(make_elf(tmp_path / "p", machine=other))
    assert "p.o is an object file: link it" in refusal(make_elf(tmp_path / "p.o", kind=OBJECT))
    assert "is a library" in refusal(make_elf(tmp_path / "libp.so", kind=LIBRARY))
    (tmp_path / "p").write_bytes(b"\x7fELF\x01\x01" + b"\0" * 10 + b"\x02\0\x03\0")
    assert "built for 32-bit x86" in refusal(tmp_path / "p")
    (tmp_path / "empty").touch()
    assert "neither a .cu file nor a program" in refusal(tmp_path / "empty")
