# SPDX-License-Identifier: MIT
"""The settings of the emulator as options: each stands for one environment variable, and is checked at once."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..core import devices
from ..core.console import CourseError

_MOST_DEVICES = 16
_MOST_DEPTH = 1000
_SCHEDULE = re.compile(r"(?:random:(\d+)|pct:(\d+)(?::(\d+))?)")


def wrong(text: str) -> CourseError:
    """What the user must type otherwise."""
    return CourseError(text, exit_code=2)


@dataclass(frozen=True)
class Setting:
    variable: str
    option: str
    help: str
    metavar: str = ""  # none: a switch, which sets the variable to 1
    check: Callable[[str], str] = str  # from what was typed to the variable's value
    otherwise: str = ""  # the value where only the option is typed; none: it must have one

    @property
    def name(self) -> str:
        return self.option.removeprefix("--").replace("-", "_")


def _device(text: str) -> str:
    for name in text.split(","):
        if name not in devices.known():
            raise argparse.ArgumentTypeError(f"'{name}' is no GPU it knows (there are: {', '.join(devices.known())})")
    return text


def _whole(text: str, least: int, most: int, what: str) -> str:
    if not re.fullmatch(r"[0-9]{1,20}", text) or not least <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"'{text}' is not {what}")
    return str(int(text))


def _devices(text: str) -> str:
    return _whole(text, 1, _MOST_DEVICES, f"a number of GPUs from 1 to {_MOST_DEVICES}")


def _peers(text: str) -> str:
    if not re.fullmatch(r"all|none|\d+-\d+(,\d+-\d+)*", text):
        raise argparse.ArgumentTypeError(f"'{text}' is neither all, none nor pairs of devices, as 0-1,2-3")
    return text


def _fail(text: str) -> str:
    if not re.fullmatch(r"\d+(:[1-9]\d*)?", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not DEVICE or DEVICE:LAUNCH, as 1 or 1:3")
    return text


def _limit(text: str) -> str:
    return _whole(text, 0, 2**64 - 1, "a number of warp instructions (0: the default)")


def _schedule(text: str) -> str:
    if text.startswith("replay:"):
        file = Path(text.removeprefix("replay:")).absolute()
        if not file.is_file():
            raise argparse.ArgumentTypeError(f"'{text}' is no schedule: there is no such file")
        return f"replay:{file}"
    if text == "lockstep":
        return text
    match = _SCHEDULE.fullmatch(text)
    seed = int(match.group(1) or match.group(2)) if match else 2**64
    depth = int(match.group(3) or 1) if match else 0
    if seed >= 2**64 or not 1 <= depth <= _MOST_DEPTH:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no schedule: random:SEED, pct:SEED or pct:SEED:DEPTH, SEED a number, DEPTH 1 to "
            f"{_MOST_DEPTH}; replay:FILE; or lockstep"
        )
    return text


def _memory(text: str) -> str:
    if text not in ("strong", "weak"):
        raise argparse.ArgumentTypeError(f"'{text}' is no memory mode: strong or weak")
    return text


CHECKS = ("race", "init", "sync", "api", "leak")


def _checks(text: str) -> str:
    unknown = [word for word in text.split(",") if word not in (*CHECKS, "all")]
    if unknown:
        raise argparse.ArgumentTypeError(f"'{unknown[0]}' is no check (there are: {', '.join(CHECKS)}, all)")
    return text


def file_to_write(text: str) -> str:
    """The whole path: a file called 1 must not be taken for the switch."""
    path = Path(text).absolute()
    if not text or path.is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is a folder, not a file" if text else "a file must have a name")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' cannot be written: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"'{text}' cannot be written: permission denied")
    return str(path)


SETTINGS = (
    Setting(
        "WARPLADDER_DEVICE",
        "--device",
        f"the GPU it pretends to be: {', '.join(devices.known())}; several with commas (default: {devices.DEFAULT})",
        "NAME",
        _device,
    ),
    Setting("WARPLADDER_DEVICES", "--devices", f"how many of them, 1 to {_MOST_DEVICES} (default: 1)", "N", _devices),
    Setting("WARPLADDER_PEERS", "--peers", "who reaches whose memory: all (default), none, 0-1,2-3", "P", _peers),
    Setting("WARPLADDER_FAIL", "--fail", "a device that fails with its first kernel, or a later one", "D[:K]", _fail),
    Setting("WARPLADDER_ANNOTATE", "--annotate", "print the source with counters beside it when the program ends"),
    Setting("WARPLADDER_ANNOTATE", "--annotate-to", "the same into a file", "FILE", file_to_write),
    Setting("WARPLADDER_COUNTERS", "--counters", "write the counters of every launch, as JSON", "FILE", file_to_write),
    Setting("WARPLADDER_PICTURE", "--picture", "write what a report draws, as JSON", "FILE", file_to_write),
    Setting(
        "WARPLADDER_SCHEDULE",
        "--schedule",
        "the order in which threads run: random:SEED, pct:SEED or pct:SEED:DEPTH; replay:FILE; lockstep",
        "SCHEDULE",
        _schedule,
    ),
    Setting(
        "WARPLADDER_MEMORY",
        "--memory",
        "strong: a load returns the newest value (default); weak, with a schedule: an older one, unless it is ordered",
        "MODE",
        _memory,
    ),
    Setting(
        "WARPLADDER_TURNS", "--turns", "with a schedule: write who went when, to be replayed", "FILE", file_to_write
    ),
    Setting(
        "WARPLADDER_CHECK",
        "--check",
        f"look for mistakes while it runs: {', '.join(CHECKS)}; all where none is named (docs/checking.md)",
        "CHECKS",
        _checks,
        otherwise="all",
    ),
    Setting(
        "WARPLADDER_CHECK_TO",
        "--check-to",
        "write what --check found, as JSON, or as SARIF if the name ends in .sarif",
        "FILE",
        file_to_write,
    ),
    Setting("WARPLADDER_TRACE", "--trace", "print what threads do to memory, step by step"),
    Setting("WARPLADDER_TRACE", "--trace-to", "the same, appended to a file", "FILE", file_to_write),
    Setting("WARPLADDER_TRACE_KERNEL", "--trace-kernel", "trace only kernels with this in their name", "TEXT"),
    Setting(
        "WARPLADDER_INSTRUCTION_LIMIT",
        "--instruction-limit",
        "warp instructions after which a kernel is taken for a run-away",
        "N",
        _limit,
    ),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the emulator (each also as an environment variable, see docs/emulator.md)")
    for setting in SETTINGS:
        if setting.otherwise:
            group.add_argument(
                setting.option,
                metavar=setting.metavar,
                type=setting.check,
                nargs="?",
                const=setting.otherwise,
                help=setting.help,
            )
        elif setting.metavar:
            group.add_argument(setting.option, metavar=setting.metavar, type=setting.check, help=setting.help)
        else:
            group.add_argument(setting.option, action="store_true", help=setting.help)


def environment(options: argparse.Namespace, outer: Mapping[str, str]) -> dict[str, str]:
    """The variables that the options stand for. What only several of them together make wrong is refused."""
    chosen: dict[str, str] = {}
    for setting in SETTINGS:
        value = getattr(options, setting.name)
        if value and setting.variable in chosen:
            raise wrong(f"{setting.option} and {setting.option.removesuffix('-to')}: say only one of them")
        if value:
            chosen[setting.variable] = value if setting.metavar else "1"
    both = {**outer, **chosen}
    seeded = both.get("WARPLADDER_SCHEDULE", "lockstep") not in ("", "lockstep")
    if chosen.get("WARPLADDER_MEMORY") == "weak" and not seeded:
        raise wrong("--memory weak needs a seed: add --schedule random:SEED or pct:SEED")
    if "WARPLADDER_TURNS" in chosen and not seeded:
        raise wrong("--turns goes with --schedule random:SEED or pct:SEED")
    if "WARPLADDER_CHECK_TO" in chosen and not both.get("WARPLADDER_CHECK"):
        raise wrong("--check-to goes with --check")
    if "WARPLADDER_TRACE_KERNEL" in chosen and not both.get("WARPLADDER_TRACE"):
        raise wrong("--trace-kernel goes with --trace or --trace-to FILE")
    return chosen


def device(environment: Mapping[str, str]) -> devices.Device:
    """The GPU that the program will see; of several the oldest, which its code must suit."""
    names = environment.get("WARPLADDER_DEVICE") or devices.DEFAULT
    try:
        return min((devices.known()[name] for name in _device(names).split(",")), key=lambda gpu: gpu.sm)
    except argparse.ArgumentTypeError as error:
        raise wrong(f"WARPLADDER_DEVICE: {error}") from None
