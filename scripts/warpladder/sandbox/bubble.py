# SPDX-License-Identifier: MIT
"""The command line of bubblewrap (`bwrap`), which many programs trust to run what they do not trust.

It makes the namespaces and the tree of files. As root it keeps two rights until setpriv has changed the user, so that
whoever cannot read the course can still be shown a part of it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import PurePosixPath

HAS = ("files", "network", "processes")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
_DEVICES = ("/dev/null", "/dev/urandom", "/dev/random")
_TMP_BYTES = 16 << 20


def found() -> str:
    """Where it is, if all that it needs is there."""
    tools = [shutil.which(name, path="/usr/bin:/bin") for name in ("bwrap", "setpriv", "prlimit")]
    return tools[0] or "" if all(tools) else ""


def words(
    bwrap: str,
    command: list[str],
    folder: str,
    readable: Iterable[str],
    user: int | None,
    processes: int | None,
    own_proc: bool,
    filtered: bool,
) -> list[str]:
    """`processes`: the most, where they are counted by namespace; None where a limit from outside does it."""
    line = [bwrap, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    line += ["--die-with-parent", "--new-session"]
    # Root gives the program another user instead; an ordinary user needs a namespace of users for all the others.
    line += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] if user is not None else []
    line += ["--unshare-user", "--disable-userns"] if os.geteuid() != 0 else []
    line += ["--perms", "1777", "--size", str(_TMP_BYTES), "--tmpfs", "/tmp"]
    line += _files(folder, readable)
    line += ["--proc", "/proc"] if own_proc else ["--ro-bind", "/proc", "/proc"]
    line += ["--remount-ro", "/", "--chdir", folder]
    line += ["--seccomp", "FILTER"] if filtered else []  # jail.py puts the number of an open file there
    line.append("--")
    if processes is not None:
        line += ["/usr/bin/prlimit", f"--nproc={processes}:{processes}", "--"]
    if user is not None:
        line += ["/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all", "--"]
    return [*line, *command]


def _files(folder: str, readable: Iterable[str]) -> list[str]:
    line: list[str] = []
    links = [path for path in _SYSTEM if os.path.islink(path)]
    for path in links:
        line += ["--symlink", os.readlink(path), path]
    below = tuple(path + "/" for path in links)  # /bin/sh is found as /usr/bin/sh
    bound: list[str] = []
    made = {"/", "/tmp"}
    for path in sorted({*_SYSTEM, *_DEVICES, *readable}):
        path = os.path.realpath(path) if path.startswith(below) else path
        if path in links or path == folder or _inside(path, bound) or not os.path.exists(path):
            continue
        line += _above(path, bound, made)
        line += ["--dev-bind" if path.startswith("/dev/") else "--ro-bind", path, path]
        bound.append(path)
    return [*line, *_above(folder, bound, made), "--bind", folder, folder]


def _above(path: str, bound: list[str], made: set[str]) -> list[str]:
    """The folders above it: bubblewrap would make them for root alone, and the program is somebody else."""
    line: list[str] = []
    for parent in reversed([str(parent) for parent in PurePosixPath(path).parents]):
        if parent not in made and not _inside(parent, bound):
            line += ["--perms", "0755", "--dir", parent]
            made.add(parent)
    return line


def _inside(path: str, bound: list[str]) -> bool:
    return any(path == other or path.startswith(other + "/") for other in bound)
