# SPDX-License-Identifier: MIT
"""Records what Nsight Compute prints for the commands of the chapters, and writes it into them.

python3 scripts/profile_chapters.py record [--preset gpu] [--only 03]    on a GPU: results/h200/profiles.json
python3 scripts/profile_chapters.py write [--check]                      the chapters, from that file

A command is a block ```sh that begins with `ncu`, followed by `<!-- ncu:begin -->` and `<!-- ncu:end -->`: between them
comes what ncu said of the kernel. `record` needs the lessons' programs in build/PRESET, and goes on where it stopped:
what has been recorded with the same command is not recorded again.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from warpladder.core.paths import LESSONS, RESULTS, ROOT  # noqa: E402
from warpladder.core.recording import record_and_write  # noqa: E402
from warpladder.setup import machine  # noqa: E402

FILE = RESULTS / "h200" / "profiles.json"
SCHEMA = "warpladder-profiles/1"
NOTHING = "*Not recorded yet: `python3 scripts/profile_chapters.py record` does it, on a GPU with Nsight Compute.*"
_PART = re.compile(
    r"(^```sh\n(ncu (?:(?!^```).)*?)^```\n\n<!-- ncu:begin -->\n)(.*?)(<!-- ncu:end -->)", re.MULTILINE | re.DOTALL
)
_KERNEL = re.compile(r"^  \S.*, Context \d+, Stream \d+, Device \d+, CC [\d.]+$")
_SECONDS = 120


class Command(NamedTuple):
    lesson: str
    text: str  # in one line, as somebody would type it


def one_line(block: str) -> str:
    return " ".join(block.replace(",\\\n", ",").replace("\\\n", " ").split())


def commands() -> Iterator[Command]:
    for page in sorted(LESSONS.glob("*/*.md")):
        for match in _PART.finditer(page.read_text(encoding="utf-8")):
            yield Command(page.parent.name, one_line(match[2]))


def said_of_the_kernel(printed: str) -> list[str]:
    """What stands between the head of the first kernel and the empty line behind its table."""
    lines = printed.splitlines()
    first = next((i for i, line in enumerate(lines) if _KERNEL.match(line)), None)
    if first is None:
        return []
    last = next((i for i in range(first, len(lines)) if not lines[i].strip()), len(lines))
    return [line.rstrip() for line in lines[first:last]]


def load(file: Path) -> dict[str, Any]:
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {"schema": SCHEMA, "rows": []}


def ncu() -> str:
    """In PATH, or where NVIDIA's installers put it."""
    places = [*Path("/usr/local").glob("cuda*/bin/ncu"), *Path("/opt/nvidia/nsight-compute").glob("*/ncu")]
    return shutil.which("ncu") or next((str(place) for place in sorted(places, reverse=True)), "")


def ran(command: Command, tool: str, preset: str) -> list[str]:
    words = [word.replace("build/default/", f"build/{preset}/") for word in shlex.split(command.text)]
    words[0] = tool
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        print(f"profile_chapters: after {_SECONDS} s still running: {command.text}", file=sys.stderr)
        return []
    said = said_of_the_kernel(done.stdout)
    if not said:
        reason = next(
            (line for line in done.stdout.splitlines() if line.startswith("==ERROR==")), "no kernel in its output"
        )
        print(f"profile_chapters: {command.text}: {reason}", file=sys.stderr)
    return said


def record(options: argparse.Namespace) -> int:
    tool = ncu()
    if not machine.gpus() or not tool:
        print("profile_chapters: it needs a GPU and Nsight Compute (ncu)", file=sys.stderr)
        return 3
    document = load(options.file)
    known = {row["command"]: row for row in document["rows"]}
    wanted = list(commands())
    version = machine.output_of([tool, "--version"]).strip().splitlines()[-1]
    for command in wanted:
        if command.text in known or (options.only and not command.lesson.startswith(options.only)):
            continue
        if said := ran(command, tool, options.preset):
            known[command.text] = {
                "lesson": command.lesson,
                "command": command.text,
                "said": said,
                "device": machine.all_gpus()[0].name,
                "ncu": version,
                "date": datetime.date.today().isoformat(),
                "revision": machine.revision(),
            }
    document["rows"] = [known[command.text] for command in wanted if command.text in known]
    options.file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    missing = len(wanted) - len(document["rows"])
    print(f"{len(document['rows'])} recorded, {missing} missing: {options.file}")
    return 1 if missing and not options.only else 0


def part(row: dict[str, Any] | None) -> str:
    if row is None:
        return NOTHING + "\n"
    version = re.sub(r"^Version (\S+).*", r"\1", row["ncu"])
    note = f"*Printed by Nsight Compute {version} on {row['device']}, {row['date']}, revision {row['revision']}.*"
    return "\n".join(["```text", *row["said"], "```", "", note, ""])


def page_with(text: str, document: dict[str, Any]) -> str:
    rows = {row["command"]: row for row in document["rows"]}
    return _PART.sub(lambda match: match[1] + part(rows.get(one_line(match[2]))) + match[4], text)


def write(options: argparse.Namespace) -> int:
    document, wrong = load(options.file), 0
    for page in sorted(LESSONS.glob("*/*.md")):
        text = page.read_text(encoding="utf-8")
        right = page_with(text, document)
        if right != text and options.check:
            print(f"{page} does not show what was recorded: run scripts/profile_chapters.py write", file=sys.stderr)
            wrong = 1
        elif right != text:
            page.write_text(right, encoding="utf-8")
    return wrong


def main() -> int:
    parser, recording = record_and_write(__doc__, FILE)
    recording.add_argument("--only", metavar="NN", default="")
    options = parser.parse_args()
    return record(options) if options.verb == "record" else write(options)


if __name__ == "__main__":
    sys.exit(main())
