# SPDX-License-Identifier: MIT
"""What the project is made of can be read at once, and the check of that notices what cannot."""

from __future__ import annotations

from pathlib import Path

import check_lengths
import pytest

from warpladder.core.paths import ROOT


def test_nothing_is_too_large() -> None:
    assert list(check_lengths.too_large(ROOT)) == []


def crowd(folder: Path, *names: str) -> list[str]:
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text("")
    return list(check_lengths.too_large(folder.parents[1]))


MOST = check_lengths.MOST_SOURCES


def test_a_crowd_is_named_with_its_count(tmp_path: Path) -> None:
    kinds = ("a{}.cpp", "a{}.test.cpp", "a{}.cuh", "a{}.py", "a{}.sh", "a{}.def", "a{}.cmake")
    names = [kinds[i % len(kinds)].format(i) for i in range(MOST + 1)]
    assert crowd(tmp_path / "tests" / "room", *names) == [f"tests/room holds {MOST + 1} sources, over {MOST}"]


def test_folders_within_a_folder_and_other_files_are_no_crowd(tmp_path: Path) -> None:
    assert crowd(tmp_path / "scripts" / "a", *(f"a{i}.py" for i in range(MOST))) == []
    assert crowd(tmp_path / "scripts" / "b", *(f"a{i}.py" for i in range(MOST)), "a.json", "README.md") == []


BODY, PASS = "  f();\n" * 59, "    pass\n" * 60
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
        ("a.py", "\n" * 401, "a.py has 401 lines, over 400"),
        ("a.sh", "\n" * 401, "a.sh has 401 lines, over 400"),
        ("CMakeLists.txt", "\n" * 401, "CMakeLists.txt has 401 lines, over 400"),
        ("a.py", "def f() -> None:\n" + PASS, "a.py:1: a function of 61 lines, over 60"),
        ("a.py", "def f() -> None:\n" + PASS[9:], None),
        ("a.py", "class C:\n    @x\n    async def f(self) -> None:\n" + PASS.replace("    ", " " * 8), "a.py:3: "),
        ("a.py", '@x\ndef f() -> None:\n    """Does it.\n\n    Long because so."""\n' + PASS, None),
        ("a.py", "# Long because\n# so.\n@x\ndef f() -> None:\n" + PASS, None),
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
    found = list(check_lengths.too_large(tmp_path))
    assert [fault in each for each in found] == [True] if fault else found == []
