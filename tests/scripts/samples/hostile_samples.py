# SPDX-License-Identifier: MIT
"""Hostile programs by the dozen, compiled once: one file holds all mischief, and a word beside the program chooses.

Each runs before main(), with a right kernel behind it. `verdicts`: what may come of it; `wall`: what has to stand so
that it comes out so (a program that gets through says so by its exit code, which is no pass).
"""

from __future__ import annotations

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from class_samples import RIGHT

from warpladder.build.backend import Backend
from warpladder.exercises import catalog
from warpladder.exercises.verdict import Verdict
from warpladder.judging import compile
from warpladder.judging.evaluate import Request, evaluate
from warpladder.sandbox.allowance import Allowance

EXERCISE = replace(catalog.find("warp_sum"), schedules=0, budgets=())
SECONDS = 4.0  # for one run that would not end; the others may be slow on a busy machine
MANY_SECONDS = 60.0
_HEAD = (
    "".join(
        f"#include <{name}>\n"
        for name in (
            "dirent.h fcntl.h netinet/in.h pthread.h signal.h stdio.h stdlib.h string.h sys/mman.h sys/mount.h "
            "sys/ptrace.h sys/resource.h sys/socket.h sys/stat.h sys/syscall.h sys/time.h unistd.h ifaddrs.h stdexcept"
        ).split()
    )
    + """
static void through(bool success) { if (success) _exit(3); }
template <class Do> static void every_output(Do what) {
  DIR* inputs = opendir("inputs");
  while (struct dirent* entry = readdir(inputs)) {
    char path[400];
    snprintf(path, sizeof path, "outputs/%.*s.out", (int)strcspn(entry->d_name, "."), entry->d_name);
    if (entry->d_name[0] != '.') what(path);
  }
}
static void put(const char* path, const char* text, size_t size) {
  if (FILE* out = fopen(path, "wb")) { fwrite(text, 1, size, out); fclose(out); }
}
static int deeper(volatile int* above) { volatile int here[1000]; here[0] = *above; return deeper(here) + here[0]; }
static bool is(const char* word) {
  static char chosen[100];
  if (!chosen[0]) {
    char path[1000];
    const long size = readlink("/proc/self/exe", path, sizeof path - 20);
    path[size < 0 ? 0 : size] = 0;
    if (char* slash = strrchr(path, '/')) strcpy(slash, "/mischief");
    FILE* file = fopen(path, "r");
    if (!file || !fgets(chosen, sizeof chosen, file)) strcpy(chosen, "none");
  }
  return strcmp(chosen, word) == 0;
}
"""
)


@dataclass(frozen=True)
class Mischief:
    body: str
    verdicts: str
    wall: str = ""
    remark: bool = True  # whether a word of it must be pointed out


_BAD = "crashed"
MISCHIEF = {
    # how a program can end
    "ends at once": Mischief("_exit(0);", "missing"),
    "ends with another code": Mischief("_exit(77);", _BAD),
    "aborts": Mischief("abort();", _BAD, remark=False),
    "kills itself": Mischief("raise(SIGKILL);", _BAD),
    "dumps core": Mischief("raise(SIGQUIT);", _BAD),
    "reads nothing": Mischief("*(volatile int*)nullptr = 1;", _BAD, remark=False),
    "recurses": Mischief("volatile int x = 1; deeper(&x);", _BAD, remark=False),
    "throws": Mischief('throw std::runtime_error("\\x1b[2J\\x1b]0;title\\x07 PASSED");', _BAD, remark=False),
    "sets an alarm": Mischief("alarm(1); for (;;) pause();", _BAD),
    "becomes another program": Mischief('execl("/bin/true", "true", nullptr);', "missing"),
    "becomes a sleeper": Mischief('execl("/bin/sleep", "sleep", "600", nullptr);', "time_limit"),
    "sleeps in silence": Mischief("close(1); close(2); sleep(600);", "time_limit"),
    "stays at the end": Mischief("atexit([] { for (;;) sleep(1); });", "time_limit"),
    "begins again without settings": Mischief(
        'if (getenv("WARPLADDER_RECORD")) { const char* path = getenv("LD_LIBRARY_PATH"); char kept[1000];\n'
        '  snprintf(kept, sizeof kept, "LD_LIBRARY_PATH=%s", path ? path : ""); char* env[] = {kept, nullptr};\n'
        '  char* words[] = {(char*)"runner", (char*)"inputs", (char*)"outputs", nullptr};\n'
        '  execve("/proc/self/exe", words, env); }',
        "tampered",
    ),
    # results
    "takes its results away": Mischief('atexit([] { rename("outputs", "elsewhere"); });', "missing"),
    "folders for results": Mischief("every_output([](const char* p) { mkdir(p, 0777); }); _exit(0);", "missing"),
    "links for results": Mischief(
        'every_output([](const char* p) { symlink("/etc/passwd", p); }); _exit(0);', "missing"
    ),
    "pipes for results": Mischief("every_output([](const char* p) { mkfifo(p, 0666); }); _exit(0);", "missing"),
    "closed results": Mischief(
        "every_output([](const char* p) { put(p, p, 5); chmod(p, 0); }); _exit(0);", "missing wrong_value"
    ),
    "rubbish for results": Mischief(
        "every_output([](const char* p) { put(p, p, strlen(p)); }); _exit(0);", "missing wrong_value"
    ),
    "results without end": Mischief(
        "every_output([](const char* p) { truncate(p, 0); const int f = open(p, O_CREAT | O_WRONLY, 0666);\n"
        "  ftruncate(f, 60 << 20); close(f); }); _exit(0);",
        "missing output_limit",
    ),
    "an array without end": Mischief(
        'every_output([](const char* p) { const char t[] = "warpladder-arrays 1\\nsum i32 4611686018427387904\\n";\n'
        "  put(p, t, sizeof t - 1); }); _exit(0);",
        "missing wrong_value",
    ),
    "changes what is asked": Mischief(
        'DIR* d = opendir("inputs"); while (dirent* e = readdir(d)) { char p[400];\n'
        '  snprintf(p, sizeof p, "inputs/%s", e->d_name); FILE* f = fopen(p, "r+b"); char t[100000];\n'
        "  const long n = f ? fread(t, 1, sizeof t, f) : 0;\n"
        '  if (n > 60) { fseek(f, n - 8, 0); fputs("\\1\\1", f); } if (f) fclose(f); }',
        "wrong_value crashed missing",
    ),
    "odd names beside results": Mischief(
        'put("outputs/\\n=1+1", "x", 1); put("outputs/\\x1b[2J", "x", 1); put("outputs/..x", "x", 1);',
        "passed",
        remark=False,
    ),
    # what it says
    "floods": Mischief('for (;;) puts("{\\"score\\": 10}");', "output_limit", remark=False),
    "floods the other": Mischief('for (;;) fputs("warp-ladder emulator: \\n", stderr);', "output_limit", remark=False),
    "escape codes": Mischief('fputs("exercise: \\x1b[2J\\x1b]0;t\\x07\\n", stderr); _exit(2);', "crashed missing"),
    "a report of its own": Mischief(
        'fputs("warp-ladder emulator: out of bounds in k\\n  at      /etc/passwd:1\\n", stderr); _exit(10);',
        "out_of_bounds crashed",
    ),
    # what it takes
    "a large file": Mischief(
        'char* b = new char[1 << 20]; FILE* f = fopen("x", "wb"); for (;;) fwrite(b, 1, 1 << 20, f);', "output_limit"
    ),
    "many files": Mischief(
        'mkdir("m", 0777); for (int i = 0;; ++i) { char p[40]; snprintf(p, sizeof p, "m/%d", i);\n'
        "  const int f = open(p, O_CREAT | O_WRONLY, 0666); if (f < 0) pause(); close(f); }",
        "output_limit time_limit",  # a slow disk
    ),
    "deep folders": Mischief(
        'for (int i = 0; i < 3000; ++i) { mkdir("d", 0777); if (chdir("d")) break; } _exit(0);', "output_limit"
    ),
    "address space": Mischief(
        "through(mmap(nullptr, 1ul << 40, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED);",
        "passed",
    ),
    "other limits": Mischief(
        "rlimit most{RLIM_INFINITY, RLIM_INFINITY}; through(setrlimit(RLIMIT_NOFILE, &most) == 0);", "passed"
    ),
    "a child that stays": Mischief("if (fork() == 0) { setsid(); for (;;) sleep(100); }", "passed"),
    "children without end": Mischief("for (;;) fork();", "time_limit crashed memory_limit"),
    # where it must not get
    "looks at the course": Mischief('through(access("COURSE", F_OK) == 0);', "passed", "files", remark=False),
    "writes to the system": Mischief(
        'for (const char* p : {"/etc/mark", "/usr/mark"}) through(open(p, O_CREAT | O_WRONLY, 0666) >= 0);',
        "passed",
        "files",
    ),
    "changes its own program": Mischief(
        'char p[1000] = ""; readlink("/proc/self/exe", p, 999); through(unlink(p) == 0 || open(p, O_RDWR) >= 0);',
        "passed",
        "files",
    ),
    "devices": Mischief(
        'for (const char* d : {"/dev/mem", "/dev/kmsg", "/dev/fuse", "/dev/kvm", "/dev/vsock"}) '
        "through(open(d, O_RDWR) >= 0);",
        "passed",
        "files",
    ),
    "another user": Mischief("through(getuid() != 0 && setuid(0) == 0);", "passed", remark=False),
    "ends whoever started it": Mischief("kill(getppid(), SIGKILL);", "passed", "processes"),
    "looks at other processes": Mischief(
        "int n = 0; DIR* d = opendir(\"/proc\"); while (dirent* e = readdir(d)) n += e->d_name[0] >= '1' && "
        "e->d_name[0] <= '9'; through(n > 12);",
        "passed",
        "processes",
    ),
    "the network": Mischief(
        'ifaddrs* a = nullptr; getifaddrs(&a); for (; a; a = a->ifa_next) through(strcmp(a->ifa_name, "lo") != 0);',
        "passed",
        "network",
        remark=False,
    ),
    "the machine under it": Mischief("through(socket(40, SOCK_STREAM, 0) >= 0);", "passed", "calls"),
    "traces": Mischief("through(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);", "passed", "calls"),
    "mounts": Mischief('through(mount("x", "/tmp", "tmpfs", 0, "") == 0);', "passed"),
    "a namespace of its own": Mischief("through(syscall(SYS_unshare, 0x10000000) == 0);", "passed", "calls"),
    "a ring": Mischief("char p[256] = {}; through(syscall(425, 4, p) >= 0);", "passed", "calls"),
    "keys": Mischief("through(syscall(SYS_keyctl, 1, 0) >= 0);", "passed", "calls"),
}


def source(course: Path) -> str:
    lines = [
        f'    if (is("{name}")) {{ {what.body.replace("COURSE", str(course))} }}\n' for name, what in MISCHIEF.items()
    ]
    return f"{_HEAD}struct Mischief {{\n  Mischief() {{\n{''.join(lines)}  }}\n}};\nstatic Mischief mischief;\n{RIGHT}"


def _allowed(name: str) -> float:
    return SECONDS if "time_limit" in MISCHIEF[name].verdicts else MANY_SECONDS


def verdicts(where: Backend, program: Path, student: Path, folder: Path, names: list[str]) -> dict[str, Verdict]:
    """What each of them gets: all is as in a grade, but the program is there already."""
    programs = {}
    for number, name in enumerate(names):
        place = folder / f"p{number}"
        place.mkdir()
        shutil.copy(program, place / "runner")
        (place / "mischief").write_text(name)
        place.chmod(0o755)
        programs[str(folder / f"s{number}.cuh")] = place / "runner"
        shutil.copy(student, folder / f"s{number}.cuh")
    plain = compile.runner
    compile.runner = lambda exercise, student, *more: compile.Compiled(programs[str(student)])
    try:
        with ThreadPoolExecutor(2) as pool:
            requests = [
                Request(
                    EXERCISE,
                    Path(file),
                    where,
                    hidden_seed=None,
                    run_seconds=_allowed(name),
                    allowance=Allowance(600, 600),
                )
                for name, file in zip(names, programs, strict=True)
            ]
            return dict(zip(names, pool.map(evaluate, requests), strict=True))
    finally:
        compile.runner = plain


if __name__ == "__main__":  # as another user: NVCC EMULATOR CACHE PROGRAM STUDENT FOLDER NAME...
    nvcc, emulator, cache, program, student, folder, *words = sys.argv[1:]
    compile.CACHE = Path(cache)
    place = Backend(nvcc, False, Path(emulator), frozenset(("record",)))
    for name, verdict in verdicts(place, Path(program), Path(student), Path(folder), words).items():
        print(f"{name}\t{verdict.kind.value}\t{verdict.headline}")
