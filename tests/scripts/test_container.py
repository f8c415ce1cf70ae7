# SPDX-License-Identifier: MIT
"""The container and the dev container: one script sets up everything, and what the files name exists.

No container engine is needed, and none is used: docs/elsewhere.md says what was tried with one."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "scripts/setup_container.sh"


def steps() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, in order."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in text.splitlines() if line.strip()]


def devcontainer() -> dict[str, Any]:
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))


def test_the_image_is_a_bare_system_a_user_the_tree_and_the_script() -> None:
    assert [name for name, _ in steps()] == ["FROM", "RUN", "WORKDIR", "COPY", "RUN", "USER", "CMD"]
    words = dict(steps())  # of the two RUN steps the second
    base, user, place = words["FROM"], words["USER"], words["WORKDIR"]
    assert re.fullmatch(r"debian:[a-z]+", base), "a release with a name, never `latest`"
    assert user != "root"
    first, second = (shlex.split(text) for name, text in steps() if name == "RUN")
    assert first[0] == "useradd" and first[-1] == user
    assert second == [SCRIPT, "&&", "chown", "-R", f"{user}:{user}", place]
    assert shlex.split(words["COPY"]) == [f"--chown={user}:{user}", ".", "."]


def test_the_dev_container_uses_the_same_image_and_script() -> None:
    settings = devcontainer()
    folder = ROOT / ".devcontainer"
    assert (folder / settings["build"]["dockerfile"]).resolve() == ROOT / "Containerfile"
    assert (folder / settings["build"]["context"]).resolve() == ROOT
    assert settings["remoteUser"] == dict(steps())["USER"]
    assert [settings[key] for key in settings if key.endswith("Command")] == [SCRIPT]


def test_the_script_is_there_and_sets_up_the_course() -> None:
    path = ROOT / SCRIPT
    assert path.stat().st_mode & 0o111, "it must be executable"
    assert '/course" setup' in path.read_text(encoding="utf-8")


def test_the_bare_root_of_the_tests_is_set_up_with_the_same_script() -> None:
    users = [path for path in (ROOT / "tests" / "support").iterdir() if path.name.startswith("bare_root")]
    assert users and any(SCRIPT in path.read_text(encoding="utf-8") for path in users)


def test_what_git_ignores_does_not_get_into_the_image() -> None:
    def patterns(name: str) -> list[str]:
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    anchored = [p.strip("/") if p.startswith("/") else "**/" + p.rstrip("/") for p in patterns(".gitignore")]
    assert patterns(".dockerignore") == anchored
