# SPDX-License-Identifier: MIT
"""The container and the dev container: one script sets up everything, and what the files name exists.

No container engine is needed, and none is used: docs/elsewhere.md says what was tried with one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = "scripts/setup_container.sh"


def steps() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, in order."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    return [(line.split()[0], " ".join(line.split()[1:])) for line in text.splitlines() if line.strip()]


def values(instruction: str) -> list[str]:
    return [value for name, value in steps() if name == instruction]


def devcontainer() -> dict[str, Any]:
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    return data


def test_the_image_is_a_bare_system_a_user_the_tree_and_the_script() -> None:
    """The same two steps as those of the bare root: as root with --system, then as an ordinary user."""
    base, user = values("FROM")[0].split()[0], values("USER")[0]
    assert re.fullmatch(r"debian:[a-z]+", base), "a release with a name, never `latest`"
    assert user != "root"
    place = f"/home/{user}/warp-ladder"
    own = f"useradd --create-home --shell /bin/bash --uid 1000 {user} && install -d -o {user} -g {user} {place}"
    assert steps() == [
        ("FROM", f"{base} AS system"),
        ("RUN", own),
        ("WORKDIR", place),
        ("COPY", f"--chown={user}:{user} . ."),
        ("RUN", f"{SCRIPT} --system"),
        ("FROM", "system"),
        ("USER", user),
        ("RUN", SCRIPT),
        ("CMD", '["bash"]'),
    ]


def test_the_dev_container_uses_the_same_image_and_script() -> None:
    settings = devcontainer()
    folder, build = ROOT / ".devcontainer", settings["build"]
    assert (folder / build["dockerfile"]).resolve() == ROOT / "Containerfile"
    assert (folder / build["context"]).resolve() == ROOT
    assert f"AS {build['target']}" in values("FROM")[0]
    assert settings["remoteUser"] == values("USER")[0]
    assert [settings[key] for key in settings if key.endswith("Command")] == [SCRIPT]


def test_the_bare_root_of_the_tests_is_set_up_with_the_same_script() -> None:
    assert (ROOT / SCRIPT).stat().st_mode & 0o111, "it must be executable"
    bare_root = (ROOT / "tests" / "support" / "bare_root.sh").read_text(encoding="utf-8")
    assert f'"{SCRIPT} --system"' in bare_root and f"enter root {SCRIPT}" in bare_root


def test_what_git_ignores_does_not_get_into_the_image() -> None:
    def patterns(name: str) -> list[str]:
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    anchored = [p.strip("/") if p.startswith("/") else "**/" + p.rstrip("/") for p in patterns(".gitignore")]
    assert patterns(".dockerignore") == anchored
