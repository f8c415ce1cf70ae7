# SPDX-License-Identifier: MIT
"""The notebook: clean, made of the README's commands, and it runs."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat, nbclient and ipykernel are not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")

ROOT = Path(__file__).resolve().parents[3]
NOTEBOOK = ROOT / "notebooks" / "warp_ladder.ipynb"


def read() -> Any:  # noqa: ANN401 (a NotebookNode, of which nbformat has no type)
    return nbformat.read(NOTEBOOK, as_version=4)


def commands(notebook: Any) -> list[str]:  # noqa: ANN401
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    return re.findall(r"!(\S.*)", code)


def test_it_is_valid_and_holds_no_output() -> None:
    notebook = read()
    nbformat.validate(notebook)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    for cell in notebook.cells:
        assert cell.metadata == {}
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None, cell.source


def test_its_commands_are_those_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = commands(read())
    assert len(found) >= 6
    for command in found:
        if command.startswith("cat "):
            continue
        told = command.replace("{REPOSITORY}", "<this repository>").replace("check vector_index", "check [EX]")
        assert told.replace("vector_index", "EX") in readme, command


def output(cell: Any) -> str:  # noqa: ANN401
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", "".join(part.get("text", "") for part in cell.outputs))


@pytest.mark.early
def test_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a clone, from the folder it lies in; what it leaves behind goes elsewhere."""
    monkeypatch.setenv("WARPLADDER_WORK", str(tmp_path / "work"))
    monkeypatch.setenv("WARPLADDER_MINE", str(tmp_path / "results"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "jupyter"))
    notebook = read()
    client = nbclient.NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(NOTEBOOK.parent)}})
    client.execute()
    cells = {cell.id: cell for cell in notebook.cells}
    assert str(ROOT) in output(cells["clone"]) and "clone" not in output(cells["clone"]).replace(str(ROOT), "")
    assert "nvcc" in output(cells["doctor"])
    assert "global_atomic" in output(cells["run"]) and f"results: {tmp_path}" in output(cells["run"])
    assert "FAIL" not in output(cells["run"])
    charts = [part for part in cells["charts"].outputs if "image/svg+xml" in part.get("data", {})]
    assert charts and all("</svg>" in part.data["image/svg+xml"] for part in charts)
    assert "out of bounds" in output(cells["check"])
    mine = tmp_path / "work" / "01_naive_atomic" / "vector_index.cuh"
    assert mine.read_text(encoding="utf-8") in output(cells["file"]).replace("\r", "")
    assert "vector_index" in output(cells["hint"])


def test_outside_a_clone_it_asks_for_the_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "jupyter"))
    notebook = read()
    notebook.cells = [cell for cell in notebook.cells if cell.id == "clone"]
    client = nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(tmp_path)}})
    with pytest.raises(nbclient.exceptions.CellExecutionError, match="set REPOSITORY"):
        client.execute()
    if shutil.which("git") is None:
        pytest.skip("no git here: it asked for the address, and cannot clone")
    # With an address it clones, here from a tiny repository, and goes there.
    other = tmp_path / "somewhere"
    other.mkdir()
    origin = tmp_path / "origin"
    script = f"git init -q {origin} && cd {origin} && touch course && git add course && "
    script += "git -c user.name=a -c user.email=a@b commit -qm course"
    assert os.system(script) == 0
    notebook.cells[0].source = notebook.cells[0].source.replace('REPOSITORY = ""', f'REPOSITORY = "{origin}"')
    client = nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(other)}})
    client.execute()
    assert (other / "warp-ladder" / "course").is_file()
    assert str(other / "warp-ladder") in output(notebook.cells[0])
