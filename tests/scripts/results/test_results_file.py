# SPDX-License-Identifier: MIT
"""results.json: written readably, read back with care."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sample_results

from warpladder import cli
from warpladder.results import saved
from warpladder.results.saved import Results


@pytest.mark.parametrize(
    ("device", "backend", "folder"),
    [
        ("NVIDIA H200", "gpu", "h200"),
        ("NVIDIA H200 (Warp Ladder emulator)", "emulator", "emulator-h200"),
        ("Tesla T4 (Warp Ladder emulator, times not calibrated)", "emulator", "emulator-tesla-t4"),
        ("NVIDIA GeForce RTX 4090", "gpu", "geforce-rtx-4090"),
        ("Tesla T4", "gpu", "tesla-t4"),
        ("../..", "gpu", "device"),
    ],
)
def test_the_folder_of_a_device(device: str, backend: str, folder: str) -> None:
    assert saved.slug(device, backend) == folder


def test_what_is_written_is_read_back_and_stays_readable(tmp_path: Path) -> None:
    path = sample_results.write(tmp_path)
    lines = path.read_text().splitlines()
    samples = [line for line in lines if '"samples_us"' in line]
    assert samples and all(line.rstrip(",").endswith("]") for line in samples)
    results = saved.load(tmp_path)
    assert results.device == "NVIDIA H200"
    assert results.roof_gbps == sample_results.ROOF
    assert results.data["command"] == "./course run --publish"
    assert len(results.part(saved.LADDER, "f32")) == 5
    again = tmp_path / "again.json"
    saved.save(again, results.data)
    assert again.read_text() == path.read_text()


def test_samples_are_rounded_to_a_nanosecond(tmp_path: Path) -> None:
    document = sample_results.document("01_naive_atomic", part="ladder")
    document["rows"][0]["samples_us"] = [3.90625123456, 11]
    path = sample_results.write(tmp_path, [document])
    assert '"samples_us": [3.906, 11]' in path.read_text()


def test_the_document_of_one_program_is_a_result_too(tmp_path: Path) -> None:
    file = tmp_path / "lesson.json"
    file.write_text(json.dumps(sample_results.document("02_shared_memory_tree")))
    assert [d["lesson"] for d in saved.load(file).part("ladder")] == ["02_shared_memory_tree"]


def broken(**changes: object) -> str:
    data = saved.collect(sample_results.documents(), "")
    return json.dumps({**data, **changes})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "No such file"),
        ("{", "is not a JSON file"),
        ("[]", "holds no results of the course"),
        ('{"a": 1}', "holds no results of the course"),
        (broken(schema=2), "has schema 2, this version of the course reads schema 1"),
        (broken(documents=[]), '"documents" is empty'),
        (broken(documents=7), "is not a complete results file"),
        (broken(documents=[{"part": "ladder"}]), "is not a complete results file"),
        (broken(documents=[{"part": "ladder", "lesson": "01_x", "n": "many", "type": "f32"}]), "not a complete"),
        (broken(device="H200"), "is not a complete results file"),
        (broken(times="guessed"), "is not a complete results file"),
    ],
)
def test_a_file_that_cannot_be_used_gets_one_line_and_exit_code_2(
    text: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.json"
    if text is not None:
        file.write_text(text)
    assert cli.main(["plot", str(file)]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert message in error
    assert str(file) in error


def test_a_run_of_one_lesson_keeps_the_others() -> None:
    old = Results(Path(), saved.collect(sample_results.documents(), ""))
    fresh = [sample_results.document("03_divergence_free", part="ladder", revision="new")]
    merged = saved.merge(old, fresh)
    assert {d["lesson"] for d in merged} == set(sample_results.LADDER)
    assert {d["revision"] for d in merged if d["lesson"] == "03_divergence_free"} == {"new"}
    assert {d["revision"] for d in merged if d["lesson"] != "03_divergence_free"} == {"abc1234"}


def test_a_run_at_another_n_does_not_mix_with_the_old_ladder() -> None:
    old = Results(Path(), saved.collect(sample_results.documents(), ""))
    fresh = [sample_results.document("03_divergence_free", n=1 << 20, part="ladder")]
    merged = saved.merge(old, fresh)
    assert {d["n"] for d in merged if d["part"] == "ladder"} == {1 << 20}


def test_each_document_keeps_the_command_it_came_from() -> None:
    whole, one = "./course run --publish", "./course run 03 --out results/h200"
    old = Results(Path(), saved.collect(sample_results.documents(), whole))  # as files were: one command for all
    fresh = [sample_results.document("03_divergence_free", part="ladder", command=one)]
    merged = saved.merge(old, fresh)
    assert saved.commands([d for d in merged if d["lesson"] == "03_divergence_free"]) == [one]
    assert saved.commands([d for d in merged if d["lesson"] != "03_divergence_free"]) == [whole]
    assert saved.collect(merged)["command"] == f"{whole}; {one}"
    again = saved.merge(
        Results(Path(), saved.collect(merged)), [sample_results.document("01_naive_atomic", part="ladder")]
    )
    assert saved.commands([d for d in again if d["lesson"] == "03_divergence_free"]) == [one]
