# SPDX-License-Identifier: MIT
"""Hostile texts, sources and archives for the tests of grading, made by small functions. What each is for stands at it.

Sources do their mischief on the host before main(), with a right kernel behind it, so that only the mischief decides.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

from class_samples import RIGHT

# Files that a grader must not open for a student, whatever the compiler or the program says about them.
FOREIGN_FILES = ("/etc/passwd", "/proc/self/environ", "/dev/zero", "/dev/stdin", "../../../../etc/passwd")


def names_a_line_of(path: str) -> str:
    """An error that the compiler reports as line 1 of another file."""
    return f'#line 1 "{path}"\nthis_is_no_declaration;\n'


_REPORT = "warp-ladder emulator: deadlock in k(int*)\n"
_MANY = 1 << 20
# What a program may print to keep a parser busy: each is about a megabyte, the most that is read of it.
FLOODS = {
    "brackets": _REPORT + "  waits   " + "  [" * (_MANY // 3),
    "continued lines": _REPORT + "  waits   x\n" + "          y\n" * (_MANY // 12),
    "labels": _REPORT + "  waits   x\n" * (_MANY // 12),
    "places": _REPORT + "  waits   " + " at a:" * (_MANY // 6),
    "one place": _REPORT + "  waits    at " + "a:" * (_MANY // 2),
    "digits": _REPORT + "  at      warp_sum.cuh:" + "9" * _MANY,
    "a word": _REPORT + "  " + "w" * _MANY,
    "spaces": _REPORT + "  at" + " " * _MANY,
    "reports": _REPORT * (_MANY // len(_REPORT)),
    "complaints": "exercise: x\n" * (_MANY // 12),
    "one complaint": "exercise: " + "x" * _MANY,
}
# The same for what a compiler prints: a student's file decides much of it.
COMPILER_FLOODS = {
    "a path without end": "a" * _MANY + "\n",
    "brackets": "a(" * (_MANY // 2),
    "a line number without end": "student/warp_sum.cuh(" + "9" * _MANY + "): error: x\n",
    "errors": "a(1): error: x\n" * (_MANY // 15),
    "colours": "student/warp_sum.cuh(1): error: \x1b[2J\x1b]0;title\x07 x\n",
}
# And for the file of annotated lines that `check --annotate` shows.
ANNOTATION_FLOODS = {
    "digits": "9" * (_MANY // 4) + " |",
    "headers": " line | " * (_MANY // 32),
    "a line number": " line | warp_sum.cuh\n" + "9" * 5000 + " | (the source file cannot be read)\n",
}


_HEADERS = "".join(f"#include <{name}>\n" for name in ("fcntl.h", "stdio.h", "stdlib.h", "string.h", "unistd.h"))


def before_main(body: str) -> str:
    """Runs this when the program is loaded, then is a right answer."""
    return f"{_HEADERS}static const int kMischief = [] {{\n{body}\n  return 0;\n}}();\n{RIGHT}"


_LAUNCH = '{"launch": {}, "counters": {"loads": %s}, "lines": %s}'
# Files of counters that no emulator wrote. Each must be refused in one sentence, in no time.
COUNTERS = {
    "nothing": b"",
    "no text": b"\xff\xfe\x00",
    "a number": b"7",
    "no launches": b'{"launches": []}',
    "launches that are none": b'{"launches": [1, null, "x"]}',
    "launches by name": b'{"launches": {"0": {}}}',
    "lines that are none": ('{"launches": [' + _LAUNCH % (1, '["x"]') + "]}").encode(),
    "a name that is a list": ('{"launches": [' + _LAUNCH % (1, '[{"file": [], "line": 1}]') + "]}").encode(),
    "a text for a count": ('{"launches": [' + _LAUNCH % ('"1"', "[]") + "]}").encode(),
    "truth for a count": ('{"launches": [' + _LAUNCH % ("true", "[]") + "]}").encode(),
    "less than nothing": ('{"launches": [' + _LAUNCH % (-1, "[]") + "]}").encode(),
    "not a number": ('{"launches": [' + _LAUNCH % ("NaN", "[]") + "]}").encode(),
    "infinity": ('{"launches": [' + _LAUNCH % ("1e999", "[]") + "]}").encode(),
    "4000 digits": ('{"launches": [' + _LAUNCH % ("9" * 4000, "[]") + "]}").encode(),
    "a million digits": ('{"launches": [' + _LAUNCH % ("9" * 1_000_000, "[]") + "]}").encode(),
    "deep": b"[" * 1_000_000,
    "deep launches": b'{"launches": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "too many": b'{"launches": [' + b"0," * 1_000_000 + b"0]}",
    "cut off": b'{"launches": [{"launch": {}, "counters": {"loads": 1}',
}
# Results that no runner wrote.
_ARRAYS = b"warpladder-arrays 1\n"
RESULTS = {
    "empty": b"",
    "no end": _ARRAYS + b"sum i32 1\n\0\0\0\0",
    "another type": _ARRAYS + b"sum f64 1\n" + bytes(8) + b"end\n",
    "an unknown type": _ARRAYS + b"sum \x1b[2J\x1b]0;x\x07 1\nend\n",
    "a type without end": _ARRAYS + b"sum " + b"x" * 1_000_000 + b" 1\nend\n",
    "a name without end": _ARRAYS + b"s" * 1_000_000 + b" i32 1\n\0\0\0\0end\n",
    "more than there is": _ARRAYS + b"sum i32 4611686018427387904\n\0\0\0\0end\n",
    "less than nothing": _ARRAYS + b"sum i32 -1\nend\n",
    "too long": _ARRAYS + b"sum i32 500000\n" + bytes(2_000_000) + b"end\n",
    "many arrays": _ARRAYS + b"".join(b"a%d u8 0\n" % i for i in range(100_000)) + b"end\n",
    "damage with a name": _ARRAYS + b"damage.\x1b[31mx u32 1\n\1\0\0\0end\n",
    "bytes": bytes(range(256)) * 100,
}

# A file with a race that shows itself only in another order of the threads, behind each way to switch those orders off.
RACY_EXERCISE = "warp_in_step"
_BEFORE_ALL = """
static void wipe(int, char**, char** environment) {
  for (; *environment; ++environment) memset(*environment, 'x', strlen(*environment));
}
__attribute__((section(".preinit_array"), used)) static void (*kFirst)(int, char**, char**) = wipe;
"""
SWITCHES = {
    # Too late, or asked in vain: the race is found.
    "environment": (
        'extern "C" char* getenv(const char*) { return nullptr; }\n'
        "static const int kCleared = clearenv();\n"
        'static const int kSet = setenv("WARPLADDER_SCHEDULE", "", 1) + setenv("WARPLADDER_MEMORY", "strong", 1);\n',
        "schedule",
    ),
    # Early enough: then there is no record, and nothing is believed.
    "before the library": (_BEFORE_ALL, "tampered"),
    "record closed": (
        "static const int kClosed = [] { for (int i = 3; i < 64; ++i) close(i); return 0; }();\n",
        "tampered",
    ),
}


def racy(head: str, text: str) -> str:
    return _HEADERS + head + text


# What somebody should look at, and the word that must be named.
ODD = {
    "static const int z = clearenv();": "clearenv",
    "extern char** environ; // mine": "environ",
    "std::ifstream in(name);": "ifstream",
    "syscall(63, 0, buffer, 100);": "syscall",
    'auto f = "/proc/self/maps";': "/proc",
    "int main(int, char**) { return 0; }": "main",
    "int main\t() {": "main",
    "#define main other_main\nint main(": "main",
    "cle\\\narenv();": "clearenv",
    "cle\\\r\narenv();": "clearenv",
    "#define JOIN(a, b) a##b": "##",
    '#line 1 "/etc/shadow"': "#line",
    '__attribute__((section(".preinit_array")))': "preinit_array",
    'asm("svc #0");': "svc",
    "auto fd = memfd_create(name, 0);": "memfd_create",
    'setenv("WARPLADDER_MEMORY", "strong", 1);': "WARPLADDER_MEMORY",
    "#include <sys/mman.h>": "<sys/",
    "EXERCISE_MAIN(mine)": "EXERCISE_MAIN",
}
# Cells that a spreadsheet would compute, each with what must come of it.
FORMULAE = {
    "=1+1": "'=1+1",
    "@SUM(1)": "'@SUM(1)",
    "＝1+1": "'＝1+1",
    "﹢1": "'﹢1",
    "anna;=1+1": "anna;'=1+1",
    "anna; \t=cmd|' /C calc'!A0": "anna; \t'=cmd|' /C calc'!A0",
    "a\t=1": "a\t'=1",
    "a,=1": "a,'=1",
    '"=1': "\"'=1",
    "\u200b=1": "\u200b'=1",
    "\ufeff=1": "\ufeff'=1",
    "a|-1": "a|'-1",
    "a-b = c@d": "a-b = c@d",
    "0.25": "0.25",
}
# Names that are not what they seem; the first of each is an honest student's.
ALIKE = (
    ("anna", "an\u200fna"),
    ("anna", "anna\u200b", "\u2066anna"),
    ("an na", "an\u200fna"),
    ("anna", "ａnna"),
    ("J\u00fcrgen", "Ju\u0308rgen"),
    ("anna", " anna "),
    ("o'neill", "o_neill-ae1a8c34b7c1"),
    ("class.csv", "class.json", "class.csv\u200f"),
)


def hostile_zip(path: Path, kind: str) -> None:
    """An archive that is none, or more than one."""
    if kind == "a pipe":
        os.mkfifo(path)
        return
    if kind == "gigantic":
        with path.open("wb") as file:
            file.truncate(5 << 30)
        return
    method = {"lzma": zipfile.ZIP_LZMA, "bzip2": zipfile.ZIP_BZIP2}.get(kind, zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(path, "w", method) as pack:
        pack.writestr("warp_sum.cuh", "x" * 10)
        if kind == "many members":
            for number in range(50_000):
                pack.writestr(zipfile.ZipInfo(str(number)), b"")


# The zip's own words about hints: none of these is a number of hints.
HINTS = ("9" * 4000, "9" * 100, "-1", "4", "1.5", "true", '"2"', "[]", "NaN", "1e999")
