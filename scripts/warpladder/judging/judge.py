# SPDX-License-Identifier: MIT
"""Has the judge compare what programs left: from copies, in a sandbox, and the same results only once."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ..core.console import CourseError
from ..exercises.verdict import CaseResult
from ..sandbox import sandbox, untrusted

LARGEST = 32 << 20  # bytes of all results of a run; the largest of an exercise has some hundred thousand
_LIMITS = sandbox.Limits(60.0, memory_bytes=8 << 30, output_bytes=4 << 20, processes=16)
_BLOCK = 1 << 20


class Judging:
    """One judge with its cases. In most orders of the threads a right program leaves the very same results: what was
    judged before is known."""

    def __init__(self, judge: Path, cases: Path) -> None:
        self._judge, self._cases = judge, cases
        self._sizes = {file.stem: file.stat().st_size for file in (cases / "inputs").iterdir()}
        self._known: dict[str, list[CaseResult]] = {}

    def of(self, place: Path, most: int = LARGEST) -> tuple[list[CaseResult], set[str]]:
        """What the judge says about what a program left in place/outputs, small cases first, and what was there.

        The results are copied first, so that nothing is read through a link or changes meanwhile; cases are those that
        the judge made, not what the program could have changed.
        """
        with tempfile.TemporaryDirectory(prefix="warpladder-") as folder:
            Path(folder).chmod(0o711)
            outputs = Path(folder) / "bench" / "outputs"
            names = [f"outputs/{name}.out" for name in sorted(self._sizes)]
            there = {Path(name).stem for name in untrusted.copy(place, names, outputs, most)}
            same = _digest(outputs / f"{name}.out" for name in sorted(there))
            if same not in self._known:
                self._known[same] = self._judged(outputs.parent)
            return self._known[same], there

    def _judged(self, bench: Path) -> list[CaseResult]:
        """It reads what a stranger wrote, so it is in a sandbox too."""
        shutil.copytree(self._cases, bench, dirs_exist_ok=True)
        words = [str(self._judge), "verdicts", "--cases", str(bench), "--outputs", str(bench / "outputs")]
        record = sandbox.run(words, bench, _LIMITS, readable=[self._judge.parent])
        if not record.ok:
            raise CourseError(f"the judge failed: {record.limit or record.stderr.strip()[-300:] or record.signal}")
        results = [CaseResult.from_json(entry) for entry in json.loads(record.stdout)["cases"]]
        return sorted(results, key=lambda result: (self._sizes[result.id], result.id))


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.name} {path.stat().st_size}\n".encode())
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()
