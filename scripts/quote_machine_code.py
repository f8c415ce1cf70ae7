# SPDX-License-Identifier: MIT
"""Writes machine code of the lessons' kernels into the chapters that talk about it. It needs nvcc and no GPU.

python3 scripts/quote_machine_code.py [--fetch] [CHAPTER ...]           (default: every chapter that shows some)
python3 scripts/quote_machine_code.py --check [--fetch] [CHAPTER ...]    is it still what nvcc makes?

A block behind `<!-- machine code: LESSON/FILE.cu KERNEL WORDS; FIRST to LAST -->` holds the instructions of the kernel
whose mangled name has these words, from FIRST to the next LAST. `...; has NAME` and `...; has no NAME` stand behind a
sentence about an instruction of all kernels with these words, and show nothing. cuobjdump and nvdisasm are looked for
in PATH and beside nvcc; --fetch brings them from the Python package index into build/cuobjdump.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.paths import BUILD, LESSONS, ROOT  # noqa: E402
from warpladder.setup import machine  # noqa: E402

COMPILER = (13, 0)  # the nvcc whose machine code is shown: another one makes another
WHEELS = ("nvidia-cuda-cuobjdump==13.4.92", "nvidia-cuda-nvdisasm==13.4.92")
TOOLS = BUILD / "cuobjdump"
_MARK = re.compile(r"<!-- machine code: (\S+\.cu) ([^;]+); ([^>]+?) -->(?:\n```text\n(.*?)```\n)?", re.DOTALL)
_LINE = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;\s+/\*")


class Instruction(NamedTuple):
    address: str
    text: str  # "@!P0 BRA 0xf0"

    @property
    def name(self) -> str:
        words = self.text.split()
        return words[1] if words[0].startswith("@") else words[0]  # @P0: only where P0 is true


def fault(words: str, code: int = 1) -> SystemExit:
    print(f"quote_machine_code: {words}", file=sys.stderr)
    return SystemExit(code)


def tools(fetch: bool) -> str:
    """A search path with cuobjdump and nvdisasm on it."""
    nvcc = machine.find_nvcc()
    places = os.pathsep.join([str(TOOLS / "nvidia/cu13/bin"), str(Path(nvcc or "").parent), os.environ.get("PATH", "")])
    if fetch and not shutil.which("cuobjdump", path=places):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(TOOLS), *WHEELS]
        subprocess.run(pip, check=False, capture_output=True)
        for tool in (TOOLS / "nvidia/cu13/bin").glob("*"):
            tool.chmod(0o755)
    if nvcc is None:
        raise fault(machine.no_nvcc(), 3)
    if not shutil.which("cuobjdump", path=places) or not shutil.which("nvdisasm", path=places):
        raise fault("cuobjdump and nvdisasm were not found; --fetch brings them", 3)
    if machine.nvcc_version(nvcc) != COMPILER:
        raise fault(f"the chapters show what nvcc {COMPILER[0]}.{COMPILER[1]} makes, and {nvcc} is another one", 3)
    return places


@functools.cache
def functions(source: str, places: str) -> dict[str, list[Instruction]]:
    """The machine code of every kernel of a file, by its mangled name."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.cubin"
        nvcc = [machine.find_nvcc() or "nvcc", "-std=c++20", "-O3", "-arch=sm_90", "-cubin", f"-I{ROOT}"]
        done = subprocess.run([*nvcc, str(LESSONS / source), "-o", str(made)], capture_output=True, text=True)
        if done.returncode != 0:
            raise fault(f"{source} does not compile: {done.stderr.strip().splitlines()[0]}")
        env = {**os.environ, "PATH": places}
        said = subprocess.run(["cuobjdump", "-sass", str(made)], env=env, capture_output=True, text=True, check=True)
    return disassembled(said.stdout)


def disassembled(text: str) -> dict[str, list[Instruction]]:
    found: dict[str, list[Instruction]] = {}
    for part in re.split(r"^\s*Function : ", text, flags=re.MULTILINE)[1:]:
        name, _, body = part.partition("\n")
        found[name.strip()] = [Instruction(a, " ".join(words.split())) for a, words in _LINE.findall(body)]
    return found


def kernels(found: dict[str, list[Instruction]], words: list[str], where: str) -> list[list[Instruction]]:
    codes = [code for name, code in found.items() if all(word in name for word in words)]
    if not codes:
        raise fault(f"{where}: no kernel has '{' '.join(words)}' in its name")
    return codes


def part(code: list[Instruction], first: str, last: str, where: str) -> list[Instruction]:
    """From an instruction to the next one of another name; names may be given by their beginnings."""
    for begin, each in enumerate(code):
        if each.name.startswith(first):
            for end in range(begin + 1, len(code)):
                if code[end].name.startswith(last):
                    return code[begin : end + 1]
    raise fault(f"{where}: there is no {first} with a {last} behind it")


def shown(code: list[Instruction]) -> str:
    return "".join(f"{each.address}  {each.text}\n" for each in code)


def written(page: str, where: str, places: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each mark of a page, and what should stand there."""
    for match in _MARK.finditer(page):
        source, words, wanted = match[1], match[2].split(), match[3].split()
        codes = kernels(functions(source, places), words, where)
        if wanted[0] == "has" and match[4] is None:
            is_there = {any(each.name.startswith(wanted[-1]) for each in code) for code in codes}
            if is_there != {wanted[1] != "no"}:
                raise fault(f"{where}: {' '.join(words)} of {source}: '{' '.join(wanted)}' is not true")
            yield match, match[0]
        elif len(wanted) == 3 and wanted[1] == "to" and match[4] is not None:
            if len(codes) != 1:
                raise fault(f"{where}: {len(codes)} kernels have '{' '.join(words)}' in their names, not one")
            text = shown(part(codes[0], wanted[0], wanted[2], where))
            yield match, match[0].replace(f"```text\n{match[4]}```", f"```text\n{text}```")
        else:
            raise fault(f"{where}: '{match[3]}' is neither `has NAME`, `has no NAME` nor `FIRST to LAST` with a block")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapters", type=Path, nargs="*", metavar="CHAPTER")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--fetch", action="store_true")
    options = parser.parse_args()
    chapters = [path.resolve() for path in options.chapters] or sorted(LESSONS.glob("*/*.md"))
    pages = {path: path.read_text(encoding="utf-8") for path in chapters}
    pages = {path: page for path, page in pages.items() if _MARK.search(page)}
    if not pages:
        raise fault("no chapter shows machine code")
    places = tools(options.fetch)
    wrong = 0
    for path, page in pages.items():
        right = page
        for match, text in written(page, path.parent.name, places):
            right = right.replace(match[0], text)
        if right != page and options.check:
            print(f"{path} does not show what nvcc makes: run scripts/quote_machine_code.py", file=sys.stderr)
            wrong = 1
        elif right != page:
            path.write_text(right, encoding="utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
