# SPDX-License-Identifier: MIT
"""The check that expensive headers are compiled once notices where they are not."""

from __future__ import annotations

from pathlib import Path

import check_includes
import pytest

GOOD = {
    "lessons/01_a/main.cu": '#include <chrono>\n#include "common/sums/lesson.cuh"\n#include "lessons/01_a/a.cuh"\n',
    "lessons/01_a/a.cuh": "#include <cuda/atomic>\n// cub::DeviceReduce::Sum is the library's\n",
    "common/sums/lesson.cuh": "#include <string>\n",
    "common/library/program/options.cpp": "#include <CLI/CLI.hpp>\n#include <thread>\n",
    "common/library/program/document.cpp": "#include <nlohmann/json.hpp>\n",
    "common/library/sums/cub_sum.cu": "#include <cub/cub.cuh>\nvoid f() { cub::DeviceReduce::Sum(); }\n",
    "common/x.test.cpp": "#include <nlohmann/json.hpp>\n",
}


def faults(root: Path, **more: str) -> list[str]:
    for name, text in {**GOOD, **more}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return check_includes.faults(root)


def test_each_library_in_its_one_file_is_right(tmp_path: Path) -> None:
    assert faults(tmp_path) == []


@pytest.mark.parametrize(
    ("file", "text", "part"),
    [
        (
            "common/sums/lesson.cuh",
            "#include <CLI/CLI.hpp>\n",
            "main.cu takes in <CLI/CLI.hpp>, through common/sums/lesson.cuh",
        ),
        (
            "common/sums/lesson.cuh",
            '#include "common/deep.hpp"\n',
            "takes in <nlohmann/json.hpp>, through common/deep.hpp",
        ),
        ("common/sums/lesson.cuh", " # include <functional>\n", "takes in <functional>"),
        ("lessons/01_a/a.cuh", "#include <cub/block/block_scan.cuh>\n", "main.cu takes in <cub/block/block_scan.cuh>"),
        ("tests/lessons/x.cu", "#include <nlohmann/json.hpp>\n", "tests/lessons/x.cu takes in <nlohmann/json.hpp>"),
        ("common/library/cub_b.cu", "auto g = cub::DeviceReduce::Sum();\n", "one place: common/library/cub_b"),
        (
            "common/library/program/report.cpp",
            "#include <nlohmann/json.hpp>\n",
            "<nlohmann/...> is compiled in more than one",
        ),
    ],
)
def test_what_is_compiled_twice_is_named(tmp_path: Path, file: str, text: str, part: str) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "deep.hpp").write_text("#include <nlohmann/json.hpp>\n")
    assert any(part in fault for fault in faults(tmp_path, **{file: text}))
