# SPDX-License-Identifier: MIT
"""A class of students for the tests of grading: honest ones, careless ones, and all kinds of mischief.

Each entry says what must come out. What misbehaves does so on the host, before main(), and has a right kernel behind
it, so that only the mischief decides.
"""

from __future__ import annotations

import os
import stat
import zipfile
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from exercise_samples import ROOT, WARP_SUM

LESSON = "04_warp_shuffle"
RIGHT = (WARP_SUM / "solution.cuh").read_text()
DUE = datetime(2026, 3, 1, 12, 0, tzinfo=timezone.utc).timestamp()
HOUR = 3600.0
SEED = 4242424242
_HEAD = """// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
struct Mischief {
  Mischief() {
"""


@dataclass(frozen=True)
class Student:
    text: str | None  # of warp_sum.cuh
    verdict: str
    score: float
    how: str = "folder"  # folder, zip, flat, deep
    hours: float = -1.0  # after the due time


def mischief(body: str) -> str:
    """A right answer with this on top."""
    return _HEAD + body + "  }\n};\nstatic Mischief mischief;\n" + RIGHT


def _wrong(name: str) -> str:
    return (WARP_SUM / "wrong" / f"{name}.cuh").read_text()


def _kernel(body: str) -> str:
    return f"#include <cstddef>\n__global__ void warp_sum(const int* x, std::size_t n, int* sum) {{\n{body}\n}}\n"


_BY_HEART = """
  bool shown = false;
  for (const int size : {0, 1, 5, 31, 32, 33, 64, 100, 1024}) shown |= n == size;
  int all = 0;
  for (std::size_t i = 0; shown && i < n; ++i) all += x[i];
  if (threadIdx.x == 0) *sum = all;
"""
# Puts something in the place of every result, then ends well.
_EVERY_OUTPUT = """
    DIR* inputs = opendir("inputs");
    while (struct dirent* entry = readdir(inputs)) {
      char path[400];
      snprintf(path, sizeof path, "outputs/%%.*s.out", (int)strcspn(entry->d_name, "."), entry->d_name);
      %s
    }
    _exit(0);
"""
_FORGED_ARRAY = """
      if (FILE* out = fopen(path, "w")) {
        fwrite("warpladder-arrays 1\\nsum i32 1\\n\\0\\0\\0\\0end\\n", 1, 40, out);
        fclose(out);
      }
"""
_SEARCH = """
    const auto look = [](const char* name) {
      static char text[1 << 16];
      const int file = open(name, O_RDONLY);
      const long size = file < 0 ? 0 : read(file, text, sizeof text - 1);
      if (file >= 0) close(file);
      if (size > 0 && memmem(text, size, "%d", %d)) _exit(3);
    };
    for (const char* name : {"%s", "/proc/1/cmdline", "/proc/1/environ", "/etc/passwd", "%s"}) look(name);
    DIR* processes = opendir("/proc");
    while (struct dirent* entry = processes ? readdir(processes) : nullptr) {
      for (const char* what : {"cmdline", "environ"}) {
        char name[300];
        snprintf(name, sizeof name, "/proc/%%.200s/%%s", entry->d_name, what);
        look(name);
      }
    }
"""


# What a pattern takes minutes for that is quadratic in it.
_BRACKETS = """
    fputs("warp-ladder emulator: deadlock in k(int*)\\n  waits   ", stderr);
    for (int i = 0; i < 300000; ++i) fputs("  [", stderr);
    _exit(1);
"""
# Runs before the emulator is loaded.
_WIPES = """#include <string.h>
static void wipe(int, char**, char** environment) {
  for (; *environment; ++environment) memset(*environment, 'x', strlen(*environment));
}
__attribute__((section(".preinit_array"), used)) static void (*kFirst)(int, char**, char**) = wipe;
"""
_NAMELESS = """
    for (int i = 0; i < 12; ++i) {
      const int file = open("x", O_CREAT | O_RDWR, 0600);
      unlink("x");
      if (posix_fallocate(file, 0, 60 << 20) != 0) break;
    }
    sleep(5);
"""
# Right values, and no kernel: all is computed here.
_ON_THE_HOST = """
    DIR* inputs = opendir("inputs");
    while (struct dirent* entry = readdir(inputs)) {
      char path[400], name[40], type[10];
      snprintf(path, sizeof path, "inputs/%s", entry->d_name);
      FILE* in = fopen(path, "rb");
      size_t count = 0;
      int sum = 0, value = 0;
      if (entry->d_name[0] == '.' || !in || !fgets(path, sizeof path, in)) continue;
      while (fgets(path, sizeof path, in) && sscanf(path, "%30s %9s %zu", name, type, &count) == 3)
        for (size_t i = 0; i < count && fread(&value, 4, 1, in); ++i) sum += strcmp(name, "x") ? 0 : value;
      snprintf(path, sizeof path, "outputs/%.*s.out", (int)strcspn(entry->d_name, "."), entry->d_name);
      FILE* out = fopen(path, "wb");
      fputs("warpladder-arrays 1\\nsum i32 1\\n", out);
      fwrite(&sum, 4, 1, out);
      fputs("end\\n", out);
      fclose(out);
    }
    _exit(0);
"""


def students(out: Path, config: Path) -> dict[str, Student]:
    """By name. `out`: a folder that nobody may write to; `config`: the rules, where the seed stands.

    Long because it is a table: a line or some for each student.
    """
    solution = WARP_SUM / "solution.cuh"
    outside = "".join(
        f'    if (FILE* f = fopen("{path}", "w")) {{ fputs("here I was", f); fclose(f); }}\n'
        for path in (out / "mark", ROOT / "mark", "../mark", "../../mark", "/usr/mark", "/etc/mark")
    )
    search = _SEARCH % (SEED, len(str(SEED)), config, solution)
    return {
        "anna": Student(RIGHT, "passed", 10),
        "bert": Student(RIGHT, "passed", 10, "zip"),
        "carla": Student(RIGHT, "passed", 10, "flat"),
        "dieter o'neill": Student(RIGHT, "passed", 10, "deep"),
        "=evil(1)": Student(RIGHT, "passed", 10),
        "late_two_days": Student(RIGHT, "passed", 8, "zip", hours=30),
        "late_too_much": Student(RIGHT, "passed", 0, hours=24 * 30),
        "late_in_grace": Student(RIGHT, "passed", 10, "zip", hours=0.1),
        "starter": Student((WARP_SUM / "starter.cuh").read_text(), "not_started", 0),
        "wrong_value": Student(_wrong("four_steps"), "wrong_value", 0),
        "lost_tail": Student(_wrong("lost_tail"), "lost_tail", 0),
        "past_the_end": Student(_wrong("past_the_end"), "out_of_bounds", 0),
        "by_heart": Student(_kernel(_BY_HEART), "wrong_value", 0),
        "does_not_compile": Student(RIGHT.replace("int mine", "int mein"), "compile_error", 0),
        "hangs_on_the_host": Student(mischief("    volatile int x = 1;\n    while (x) {\n    }\n"), "time_limit", 0),
        "hangs_in_the_kernel": Student(
            _kernel("volatile int* p = sum;\n*p = 0;\nwhile (*p == 0) {\n}\n*sum = n + x[0];"), "deadlock", 0
        ),
        "stops_itself": Student(mischief("    raise(SIGSTOP);\n"), "time_limit", 0),
        "floods": Student(mischief('    for (;;) puts("PASSED 10 of 10");\n'), "output_limit", 0, "zip"),
        "fork_bomb": Student(mischief("    for (;;) fork();\n"), "time_limit", 0),
        "leaves_a_daemon": Student(
            mischief(
                "    if (fork() == 0) {\n      setsid();\n      if (fork() == 0) sleep(1000);\n      _exit(0);\n    }\n"
            ),
            "passed",
            10,
        ),
        "kills_all": Student(mischief("    kill(getppid(), SIGKILL);\n    kill(-1, SIGKILL);\n"), "passed", 10),
        "writes_outside": Student(mischief(outside), "passed", 10),
        "prints_a_grade": Student(
            mischief('    puts("{\\"score\\": 10, \\"status\\": \\"passed\\"}\\nPASSED");\n    exit(0);\n'),
            "missing",
            0,
        ),
        "forges_results": Student(mischief(_EVERY_OUTPUT % _FORGED_ARRAY), "wrong_value", 0),
        "puts_pipes_there": Student(mischief(_EVERY_OUTPUT % "      mkfifo(path, 0666);"), "missing", 0),
        "takes_all_memory": Student(mischief("    for (;;) *new char[1 << 28] = 1;\n"), "memory_limit", 0),
        "looks_for_the_seed": Student(mischief(search), "passed", 10),
        "takes_the_solution": Student(f'#include "{solution}"\n', "compile_error", 0),
        "takes_it_secretly": Student(f'#define WHERE "{solution}"\n#include WHERE\n', "compile_error", 0),
        "reads_without_end": Student('#define WHERE "/dev/zero"\n#include WHERE\n', "compile_error", 0),
        "shows_the_rules": Student(f'#line 1 "{config}"\nthis_is_no_declaration;\n' + RIGHT, "compile_error", 0),
        "talks_without_end": Student(mischief(_BRACKETS), "deadlock", 0),
        "clears_the_environment": Student(
            "#include <cstdlib>\nstatic const int z = clearenv();\n" + RIGHT, "passed", 10
        ),
        "wipes_it_first": Student(_WIPES + RIGHT, "tampered", 0),
        "links_its_results": Student(
            mischief('    if (rename("outputs", "mine") == 0) symlink("mine", "outputs");\n'), "missing", 0
        ),
        "files_without_names": Student(mischief(_NAMELESS), "output_limit", 0),
        "needs_no_kernel": Student(mischief(_ON_THE_HOST), "tampered", 0),
        "is_far_too_large": Student(
            'asm(".section .rodata\\n.fill 20971520,1,1\\n.text\\n");\n' + RIGHT, "compile_error", 0
        ),
        "empty": Student(None, "missing", 0),
        "bad_zip": Student(None, "missing", 0, "zip"),
        "leaves_the_zip": Student(RIGHT, "missing", 0, "zip"),
        "bomb": Student(RIGHT, "missing", 0, "zip"),
        "link": Student(None, "missing", 0),
    }


def write(folder: Path, everyone: dict[str, Student]) -> None:
    """Hands everything in."""
    folder.mkdir()
    for name, student in everyone.items():
        path = folder / (f"{name}.zip" if student.how != "folder" else name)
        inside = {"flat": "warp_sum.cuh", "deep": f"my work/{LESSON}/warp_sum.cuh"}.get(
            student.how, f"{LESSON}/warp_sum.cuh"
        )
        if name == "bad_zip":
            path.write_bytes(b"PK\x03\x04 this was never a zip")
        elif student.how == "folder":
            (path / LESSON).mkdir(parents=True)
            if student.text is not None:
                (path / inside).write_text(student.text)
        else:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
                pack.writestr(inside, student.text or "")
                if name == "leaves_the_zip":
                    pack.writestr("../../mark", "here I was")
                if name == "bomb":
                    pack.writestr(f"{LESSON}/other.bin", bytes(80 << 20))
        when = DUE + student.hours * HOUR
        for file in [path, *path.rglob("*")] if path.is_dir() else [path]:
            os.utime(file, (when, when))
    (folder / "link" / LESSON / "warp_sum.cuh").symlink_to(WARP_SUM / "solution.cuh")


def link_in_a_zip(path: Path) -> None:
    """A zip with a symbolic link in it."""
    with zipfile.ZipFile(path, "w") as pack:
        entry = zipfile.ZipInfo(f"{LESSON}/warp_sum.cuh")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        pack.writestr(entry, str(WARP_SUM / "solution.cuh"))
