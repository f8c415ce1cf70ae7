# SPDX-License-Identifier: MIT
"""The C++ and CUDA of the project can be read at once, and the check of that notices what cannot."""

from __future__ import annotations

from pathlib import Path

import check_lengths
import pytest

from warpladder.core.paths import ROOT


def test_nothing_is_too_long() -> None:
    assert list(check_lengths.too_long(ROOT)) == []


BODY = "  f();\n" * 59
WORTH = "// Long because it is a table.\n"


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("a.cpp", "\n" * 401, "has 401 lines, over 400"),
        ("a.cu", WORTH + "\n" * 400, "has 401 lines, over 400"),
        ("a.hpp", "\n" * 151, "has 151 lines, over 150 for a header"),
        ("a.hpp", WORTH + "\n" * 150, None),
        ("a.cuh", "\n" * 400, None),
        ("a.def", "\n" * 401, None),
        ("a.cpp", "void f() {\n" + BODY + "}\n", "a.cpp:1: a function of 61 lines, over 60"),
        ("a.cpp", "void f() {\n" + BODY[7:] + "}\n", None),
        ("a.cpp", "// Does it.\n// Long\n// because so.\nint f() {\n" + BODY + "}\n", None),
        (
            "a.cpp",
            "int a;\n\ntemplate <class T>\nT f(int a,\n    int b) {\n" + BODY + "}\n",
            "a.cpp:3: a function of 63",
        ),
        ("a.cpp", "struct S {\n  int g() {\n" + BODY + "  }\n};\n", "a.cpp:2: a function of 61"),
        (
            "a.cpp",
            "struct S {\n  S()\n      : a(1),\n        // why\n        b(2) {\n" + BODY + "  }\n};\n",
            "a.cpp:2: ",
        ),
        ("a.cpp", "struct S {\n" + "  int a;\n" * 90 + "};\n", None),
        ("a.cpp", "namespace n {\n" + "int a;\n" * 90 + "}\n", None),
        ("a.cpp", "const int t[] = {\n" + "  1,\n" * 90 + "};\n", None),
        ("a.cpp", 'TEST_CASE("x") {\n' + BODY + "}\n", "a.cpp:1: a function of 61"),
    ],
)
def test_what_is_too_long_is_named(tmp_path: Path, file: str, text: str, fault: str | None) -> None:
    (tmp_path / "emulator" / "room").mkdir(parents=True)
    (tmp_path / "emulator" / "room" / file).write_text(text)
    found = list(check_lengths.too_long(tmp_path))
    assert [fault in each for each in found] == [True] if fault else found == []
