# SPDX-License-Identifier: MIT
"""Lesson 13 beside other people's programs: scikit-learn's DBSCAN on the same points, files by plyfile."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import numpy.typing as npt
import plyfile
import pytest

from warpladder.core.paths import BUILD

PROGRAM = BUILD / "default" / "lessons" / "13_point_cloud.cluster"
Points = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]


def call(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(PROGRAM), *map(str, words)], capture_output=True, text=True, timeout=120)


def write_ply(path: Path, points: Points, text: bool = False, order: str = "<") -> None:
    vertices = np.zeros(len(points), dtype=[("x", "f4"), ("y", "f4"), ("z", "f4"), ("intensity", "f4")])
    for column, name in enumerate("xyz"):
        vertices[name] = points[:, column]
    element = plyfile.PlyElement.describe(vertices, "vertex")
    plyfile.PlyData([element], text=text, byte_order=order).write(str(path))


def clustered(folder: Path, points: Points, eps: float, neighbours: int) -> Labels:
    write_ply(folder / "in.ply", points)
    made = folder / "out.ply"
    run = call("--in", folder / "in.ply", "--out", made, "--eps", str(eps), "--neighbours", str(neighbours))
    assert (run.returncode, run.stderr) == (0, ""), run
    read = plyfile.PlyData.read(str(made))["vertex"]
    assert np.array_equal(read["x"], points[:, 0])
    return np.asarray(read["label"], dtype=np.int64)


def check(folder: Path, points: Points, eps: float, neighbours: int) -> None:
    from sklearn.cluster import DBSCAN  # takes seconds, in every process that only lists the tests, too
    from sklearn.metrics import adjusted_rand_score

    ours = clustered(folder, points, eps, neighbours)
    theirs = DBSCAN(eps=eps, min_samples=neighbours).fit(points.astype(np.float64))
    core = theirs.core_sample_indices_
    if len(core) > 0:
        assert adjusted_rand_score(theirs.labels_[core], ours[core]) == 1.0
    assert np.array_equal(ours == -1, theirs.labels_ == -1)
    # A cluster of ours is named by its first core point; theirs are numbered in that order, and a border point is of
    # the first cluster that reaches it: the smallest. So even border points agree.
    names = {cluster: core[theirs.labels_[core] == cluster].min() for cluster in set(theirs.labels_) - {-1}}
    assert np.array_equal(ours, [names.get(label, -1) for label in theirs.labels_])


def scan(folder: Path, n: int) -> Points:
    """The points that the program makes itself."""
    assert call("--n", str(n), "--out", folder / "scan.ply").returncode == 0
    read = plyfile.PlyData.read(str(folder / "scan.ply"))["vertex"]
    return np.stack([read["x"], read["y"], read["z"]], axis=1)


def test_scikit_learn_finds_the_same_clusters(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    middles = random.uniform(-8, 8, (30, 3))
    blobs = (middles[random.integers(0, 30, 1500)] + random.normal(0, 0.35, (1500, 3))).astype(np.float32)
    check(tmp_path, blobs, 0.5, 10)
    check(tmp_path, blobs, 0.25, 3)
    check(tmp_path, random.uniform(-3, 3, (800, 3)).astype(np.float32), 0.5, 4)
    check(tmp_path, np.repeat(blobs[:40], 20, axis=0), 0.5, 10)
    check(tmp_path, scan(tmp_path, 3000), 0.5, 10)


@pytest.mark.long
def test_scikit_learn_finds_the_same_clusters_in_a_large_scan(tmp_path: Path) -> None:
    check(tmp_path, scan(tmp_path, 100_000), 0.5, 10)


def test_files_of_another_program_are_read(tmp_path: Path) -> None:
    points = np.array([[0, 0, 0], [0.1, 0, 0], [5, -1e-3, 7]], dtype=np.float32)
    for number, (text, order) in enumerate([(True, "="), (False, "<"), (False, ">")]):
        path = tmp_path / f"{number}.ply"
        write_ply(path, points, text, order)
        run = call("--in", path, "--neighbours", "2", "--json", tmp_path / "result.json")
        assert run.returncode == 0, run
        assert "3 points, 1 clusters, 1 points are noise" in run.stdout
        (table,) = json.loads((tmp_path / "result.json").read_text())["tables"]
        assert table["rows"][0][1] == 2
    np.concatenate([points, np.ones((3, 1), np.float32)], axis=1).tofile(tmp_path / "kitti.bin")
    assert "3 points, 1 clusters" in call("--in", tmp_path / "kitti.bin", "--neighbours", "2").stdout


def test_a_picture_is_one_that_others_read(tmp_path: Path) -> None:
    import matplotlib.image

    assert call("--n", "500", "--picture", tmp_path / "scene").returncode == 0
    for name in ("above", "ahead"):
        pixels = matplotlib.image.imread(tmp_path / f"scene.{name}.png")
        assert pixels.shape == (600, 1200, 3)
        assert pixels.min() < pixels.max() == 1.0


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("--in", "no.ply"), ("no.ply", "cannot be read")),
        (("--in", "points.las"), ("points.las", ".pcd, .ply and .bin")),
        (("--eps", "0"), ("--eps 0", "0.001 to 1000")),
        (("--eps", "half"), ("--eps half",)),
        (("--neighbours", "0"), ("--neighbours 0", "1.00 to 1000000")),
        (("--n", "1e8"), ("10,000,000",)),
        (("--n", "5", "--in", "no.ply"), ("--n is for a scan",)),
        (("--n", "5", "--out", "/no/such/folder/a.ply"), ("/no/such/folder/a.ply", "cannot be written")),
        (("--n", "5", "--picture", "/no/such/folder/a"), ("/no/such/folder/a.above.png",)),
    ],
)
def test_what_is_wrong_is_one_line(words: tuple[str, ...], parts: tuple[str, ...]) -> None:
    run = call(*words)
    assert run.returncode == 2, run
    assert len(run.stderr.splitlines()) == 1
    assert all(part in run.stderr for part in parts), run.stderr
