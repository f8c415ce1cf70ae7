#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the emulator into a temporary prefix, moves that elsewhere, and uses it from there: by the launcher, from a
plain nvcc command line, and in a CMake project of its own.

    check_install.py --build DIR --lib DIR/lib --cmake CMAKE --nvcc NVCC
"""

from __future__ import annotations

import argparse
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = Path(__file__).resolve().parent / "project"
H200 = "1 x NVIDIA H200 (Warp Ladder emulator): 2 * 999 + 999 = 2997\n"
options: argparse.Namespace
folder: Path  # temporary
prefix: Path  # where the emulator is

# Values that the launcher and the emulator itself must both take, and those that both must refuse.
GOOD = {
    "--device": ["a100", "t4", "a100,t4"],
    "--devices": ["1", "16"],
    "--schedule": ["random:0", "pct:7", "pct:7:1000", "random:18446744073709551615"],
    "--memory": ["strong"],
    "--instruction-limit": ["0", "100000"],
}
BAD = {
    "--device": ["h100", "h200 a100", "a100,,t4", "a100,h100", "*"],
    "--devices": ["0", "17", "-1", "two", "1.5", "99999999999999999999"],
    "--schedule": [
        "random",
        "random:",
        "random:x",
        "random:1:2",
        "pct:7:0",
        "pct:7:1001",
        "pct:7:x",
        "pct:7:1:2",
        "x:1",
    ],
    "--memory": ["Weak", "weak"],  # weak: there is no schedule
    "--instruction-limit": ["-1", "many"],
    "--annotate-to": ["/no/such/folder/file", "/"],
    "--counters": ["/no/such/folder/file", "/"],
    "--trace-to": ["/no/such/folder/file", "/"],
}


def run(*words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    unwanted = ("WARPLADDER_", "LD_LIBRARY_PATH", "NVCC_")
    env = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)} | variables
    command = [str(word) for word in words]
    return subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)


def do(*words: str | Path, **variables: str) -> str:
    done = run(*words, **variables)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def launch(*words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return run(prefix / "bin" / "warpladder", *words, **variables)


def setUpModule() -> None:
    """Installs, moves, and builds saxpy with a plain nvcc: compiled once, linked in each way."""
    do(options.cmake, "--install", options.build, "--prefix", folder / "first")
    (folder / "first").rename(prefix)
    do(options.nvcc, "-arch=compute_75", "-lineinfo", "-c", PROJECT / "saxpy.cu", "-o", "saxpy.o")
    libraries = prefix / "lib" / "warpladder"
    do(options.nvcc, "-cudart", "shared", "saxpy.o", "-o", "shared")
    do(options.nvcc, f"-L{libraries}", "saxpy.o", "-o", "static")


class Installed(unittest.TestCase):
    def test_what_is_there_is_the_emulator_and_nothing_else(self) -> None:
        found = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}
        libraries = {f"lib/warpladder/{name}" for name in ("libcudart.so", "libcudart.so.13", "libcudart_static.a")}
        package = {f"lib/cmake/WarpLadder/WarpLadderConfig{part}.cmake" for part in ("", "Version")}
        others = {"bin/warpladder", "share/man/man1/warpladder.1", "share/doc/WarpLadder/LICENSE"}
        self.assertEqual(found, libraries | package | others)
        static = "libcudart_static.a"  # of the shared one CMake has rewritten the RPATH
        self.assertTrue(filecmp.cmp(prefix / "lib" / "warpladder" / static, options.lib / static, shallow=False))

    def test_the_component_has_the_same_files(self) -> None:
        do(options.cmake, "--install", options.build, "--prefix", folder / "component", "--component", "emulator")
        for path in prefix.rglob("*"):
            self.assertTrue((folder / "component" / path.relative_to(prefix)).exists(), path)

    def test_it_does_not_need_the_build_folder(self) -> None:
        library = prefix / "lib" / "warpladder" / "libcudart.so.13"
        dynamic = do("readelf", "-d", library)
        self.assertIn("Library soname: [libcudart.so.13]", dynamic)
        self.assertNotIn("PATH)", dynamic)  # neither RPATH nor RUNPATH
        for line in do("ldd", library).splitlines():
            self.assertNotIn("not found", line)
            self.assertNotIn(str(options.build), line)
        for text in [
            path for path in prefix.rglob("*") if path.suffix in (".cmake", ".1") or path.name == "warpladder"
        ]:
            if text.is_file():
                self.assertNotRegex(text.read_text(), f"{re.escape(str(ROOT))}|@[A-Z_]+@", text)


class Launcher(unittest.TestCase):
    def assert_refused(self, done: subprocess.CompletedProcess[str], text: str) -> None:
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertRegex(done.stderr, r"^warpladder: [^\n]+\n$")
        self.assertIn(text, done.stderr)

    def test_a_program_runs_on_the_emulator_in_both_forms(self) -> None:
        for program in ("./shared", "./static", folder / "shared"):
            self.assertEqual(launch(program).stdout, H200)
        self.assertEqual(launch("shared", PATH=f"{folder}:{os.environ['PATH']}").stdout, H200)
        (folder / "link").symlink_to(prefix / "bin" / "warpladder")
        self.assertEqual(run(folder / "link", "./shared").stdout, H200)

    def test_it_hands_on_arguments_and_the_exit_code(self) -> None:
        done = launch("--", "./shared", "stray")
        self.assertEqual((done.returncode, done.stdout), (1, "cudaErrorIllegalAddress\n"))
        self.assertIn("saxpy.cu:7", done.stderr)
        (folder / "script").write_text('#!/bin/sh\nprintf "%s|" "$@"\nexit 7\n')
        (folder / "script").chmod(0o755)
        done = launch("./script", "--device", "two words", "")
        self.assertEqual((done.returncode, done.stdout), (7, "--device|two words||"))

    def test_options_set_the_variables(self) -> None:
        others = H200.replace("emulator)", "emulator, times not calibrated)")
        self.assertEqual(launch("--device", "a100", "./shared").stdout, others.replace("H200", "A100-SXM4-80GB"))
        self.assertEqual(
            launch("--device=t4", "--devices=3", "./static").stdout, others.replace("1 x NVIDIA H200", "3 x Tesla T4")
        )
        self.assertEqual(launch("--device", "h200", "./shared", WARPLADDER_DEVICE="t4").stdout, H200)
        self.assertIn("saxpy(int, float", launch("--annotate", "./shared").stderr)
        self.assertIn("y[i] += a * x[i]", launch("--trace", "--schedule", "random:1", "./shared").stderr)
        self.assertEqual(launch("--schedule=pct:1:2", "--memory=weak", "./shared").stdout, H200)
        for option in ("--annotate-to", "--counters", "--trace-to"):
            for name in (f"{folder}/a file", "1"):
                self.assertEqual(launch(option, name, "./shared").stderr, "")
                self.assertIn("saxpy", (folder / name).read_text(), option)
                (folder / name).unlink()

    def test_the_emulator_takes_what_it_takes_and_refuses_what_it_refuses(self) -> None:
        for option, values in GOOD.items():
            for value in values:
                self.assertEqual(launch(option, value, "./shared").returncode, 0, (option, value))
                done = run(folder / "static", **{variable(option): value})  # which needs no launcher
                self.assertEqual((done.returncode, done.stderr), (0, ""), (option, value))
        for option, values in BAD.items():
            for value in values:
                self.assert_refused(launch(f"{option}={value}", "./shared"), option)
                done = run(folder / "static", **{variable(option): value})  # which needs no launcher
                self.assertIn("warp-ladder emulator:", done.stderr, (option, value))

    def test_bad_input_gets_one_line(self) -> None:
        self.assert_refused(launch(), "which program?")
        self.assert_refused(launch("--device"), "--device needs a value")
        self.assert_refused(launch("--fast", "./shared"), "--fast")
        self.assert_refused(launch("--fast=1", "./shared"), "--fast")
        self.assert_refused(launch("-x", "./shared"), "-x")
        self.assert_refused(launch("--fast-to", "x", "./shared"), "--fast-to")
        self.assert_refused(launch("--trace=file", "./shared"), "--trace-to FILE")
        self.assert_refused(launch("--trace-kernel", "saxpy", "./shared"), "--trace-kernel goes with")
        self.assert_refused(launch("./missing"), "./missing")
        self.assert_refused(launch("./saxpy.o"), "not a program")
        self.assert_refused(launch(folder), "not a program")
        library = prefix / "lib" / "warpladder" / "libcudart.so.13"
        library.rename(folder / "kept")
        try:
            self.assert_refused(launch("./shared"), str(library))
        finally:
            (folder / "kept").rename(library)

    def test_a_program_for_another_cuda_is_refused(self) -> None:
        (folder / "old.cpp").write_text("int main() {}\n")
        do("c++", "-shared", "-Wl,-soname,libcudart.so.12", "old.cpp", "-fPIC", "-o", "libcudart.so.12")
        do("c++", "old.cpp", "-Wl,--no-as-needed", "./libcudart.so.12", "-o", "old")
        for where in (folder, folder / "nowhere"):
            self.assert_refused(launch("./old", LD_LIBRARY_PATH=str(where)), "build it with CUDA 13")

    def test_a_program_that_leads_to_another_runtime(self) -> None:
        toolkit = Path(options.nvcc).resolve().parents[1]
        shared = next(toolkit.rglob("libcudart.so.13"), None)
        if shared is None or not any(toolkit.rglob("libcudart_static.a")):
            self.skipTest(f"there is no runtime of NVIDIA's below {toolkit}")
        do(options.nvcc, "saxpy.o", "-o", "nvidia")
        self.assert_refused(launch("./nvidia"), "static runtime")
        linker = f"-Wl,--disable-new-dtags,-rpath,{shared.parent}"
        do(options.nvcc, "-cudart", "shared", "-Xcompiler", linker.replace(",", "\\,"), "saxpy.o", "-o", "elsewhere")
        self.assert_refused(launch("./elsewhere"), "libcudart.so.13")
        plain = folder / "prefix"  # without a blank in its name it can be preloaded
        shutil.copytree(prefix, plain, symlinks=True)
        self.assertEqual(run(plain / "bin" / "warpladder", "./elsewhere").stdout, H200)

    def test_the_options_are_those_of_the_documents(self) -> None:
        rows = re.findall(r"^\| `WARPLADDER_\w+` \|.*", (ROOT / "docs" / "emulator.md").read_text(), re.MULTILINE)
        self.assertGreater(len(rows), 5)
        told = re.findall(r"^  (--[a-z-]+)", launch("--help").stdout, re.MULTILINE)
        page = (prefix / "share" / "man" / "man1" / "warpladder.1").read_text().replace("\\-", "-")
        explained = re.findall(r"^\.TP\n\.B[IR]? (--[a-z-]+)", page, re.MULTILINE)
        self.assertEqual(sorted(explained), sorted([*told, "--help"]))  # which --help tells on the line of --version
        settings = [option for option in explained if option not in ("--libdir", "--version", "--help")]
        self.assertEqual({variable(option) for option in settings}, {row.split("`")[1] for row in rows})
        listed = {option for row in rows for option in re.findall(r"`(--[a-z-]+)`", row)}
        self.assertEqual(set(settings) if listed else set(), listed)
        self.assertEqual(re.findall(r"^\.B (WARPLADDER_\w+)", page, re.MULTILINE), [variable(x) for x in settings])
        for option in settings:
            self.assertNotIn("unknown option", launch(f"{option}=?", "./missing").stderr)

    def test_it_says_what_it_is(self) -> None:
        version = re.search(r"project\(WarpLadder VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
        assert version
        self.assertRegex(launch("--version").stdout, rf"^warpladder {re.escape(version[1])} \(for \w+[^\n]*\)\n$")
        self.assertEqual(launch("--libdir").stdout, f"{prefix}/lib/warpladder\n")
        self.assertTrue(all(len(line) <= 120 for line in launch("--help").stdout.splitlines()))

    def test_the_man_page_is_clean(self) -> None:
        page = prefix / "share" / "man" / "man1" / "warpladder.1"
        checkers = [["mandoc", "-T", "lint"], ["groff", "-man", "-ww", "-z", "-Tutf8"]]
        present = [words for words in checkers if shutil.which(words[0])]
        if not present:
            self.skipTest("neither mandoc nor groff is installed")
        for words in present:
            done = run(*words, page)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))


class Package(unittest.TestCase):
    def configure(self, name: str, *definitions: str) -> subprocess.CompletedProcess[str]:
        where = ("-S", str(PROJECT), "-B", str(folder / name), "-G", "Ninja", f"-DCMAKE_CUDA_COMPILER={options.nvcc}")
        return run(options.cmake, *where, f"-DCMAKE_PREFIX_PATH={prefix}", *definitions)

    def test_a_project_finds_it_and_its_programs_run_on_it(self) -> None:
        done = self.configure("build", "-DCMAKE_CUDA_ARCHITECTURES=90-virtual")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        do(options.cmake, "--build", "build")
        nowhere = str(folder / "nowhere")
        for name in ("by_function", "by_target"):
            self.assertEqual(run(folder / "build" / name, LD_LIBRARY_PATH=nowhere).stdout, H200)
            needed = re.findall(r"\[(libcudart[^]]*)\]", do("readelf", "-d", folder / "build" / name))
            self.assertEqual(needed, ["libcudart.so.13"])
        do(Path(options.cmake).parent / "ctest", "--test-dir", "build")
        self.assertIn("saxpy.cu:7", run(folder / "build" / "by_function", "stray").stderr)

        done = self.configure("build", "-DMACHINE_CODE=ON")
        self.assertIn("CUDA_ARCHITECTURES is '90-real'", done.stderr)
        (prefix / "lib" / "warpladder" / "libcudart.so.13").rename(folder / "kept")
        try:
            done = self.configure("build", "-DMACHINE_CODE=OFF")
        finally:
            (folder / "kept").rename(prefix / "lib" / "warpladder" / "libcudart.so.13")
        self.assertIn("libcudart.so.13 is missing", done.stderr)


def variable(option: str) -> str:
    """The two ways to ask for one thing share a variable; where the findings go is a setting of its own."""
    name = option if option == "--check-to" else option.removesuffix("-to")
    return "WARPLADDER_" + name.removeprefix("--").replace("-", "_").upper()


def main() -> int:
    global options, folder, prefix
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--lib", required=True, type=Path, help="where the build has its libraries")
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--nvcc", required=True)
    options, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made).resolve()
        prefix = folder / "moved to"
        return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
