# SPDX-License-Identifier: MIT
"""The users that strangers' programs run as, where the course runs as root: numbers that no account has.

Each program gets a user of its own while it runs: then limits on processes count it alone, it cannot touch what another
one wrote, and everything it leaves behind can be told by its user.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import subprocess
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..core.console import CourseError

_FIRST, _MANY = 64100, 64
_SHARED = ("/tmp", "/var/tmp", "/dev/shm")
_taken: set[int] = set()
_lock = threading.Lock()


@contextlib.contextmanager
def borrowed(usable: bool = True) -> Iterator[int | None]:
    """A user that no other program has now; None where this is not root, who alone can give one, or it is no use."""
    if os.geteuid() != 0 or not usable:
        yield None
        return
    user, lock = _take()
    try:
        yield user
    finally:
        os.close(lock)
        with _lock:
            _taken.discard(user)


def _take() -> tuple[int, int]:
    """Free in this process and, by a lock on a file, in all others."""
    folder = _lock_folder()
    with _lock:
        for user in range(first(), first() + _MANY):
            if user in _taken:
                continue
            handle = os.open(folder / str(user), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(handle)
                continue
            _taken.add(user)
            return user, handle
    raise CourseError(f"all {_MANY} users for strangers' programs are in use", exit_code=3)


def first() -> int:
    """WARPLADDER_SANDBOX_UID names another first number."""
    given = os.environ.get("WARPLADDER_SANDBOX_UID", "")
    if given and not (given.isdecimal() and 0 < int(given) < 1 << 31):
        raise CourseError(f"WARPLADDER_SANDBOX_UID: '{given}' is no user's number", exit_code=2)
    return int(given) if given else _FIRST


def _lock_folder() -> Path:
    folder = Path("/tmp/warpladder-users")  # not TMPDIR: users are the whole machine's
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    info = folder.lstat()
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != 0:  # somebody else's: not to be trusted
        raise CourseError(f"{folder} is not root's; remove it", exit_code=3)
    return folder


def reachable(paths: Iterable[Path]) -> bool:
    """Whether any user may pass through the folders above these files."""
    above = {parent for path in paths for parent in path.resolve().parents}
    return all(parent.stat().st_mode & 0o001 for parent in above if parent.exists())


def give(folder: Path, user: int | None) -> None:
    """Makes a folder and all in it this user's."""
    if user is None:
        return
    os.chown(folder, user, user)
    os.chmod(folder, 0o700)
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            os.chown(os.path.join(place, name), user, user, follow_symlinks=False)


def take_back(folder: Path) -> None:
    """After a program: whatever rights it set, its folder can be read and removed again."""
    if os.geteuid() == 0:
        os.chown(folder, 0, 0)
        return
    with contextlib.suppress(OSError):
        os.chmod(folder, 0o700)
    for place, folders, _ in os.walk(folder):
        for name in folders:
            path = os.path.join(place, name)
            if not os.path.islink(path):
                with contextlib.suppress(OSError):
                    os.chmod(path, 0o700)


def strays(user: int | None, folder: Path) -> list[Path]:
    """What a program of this user has put where all users can write, beside its folder."""
    found = []
    for place in _SHARED if user is not None else ():
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            mine = [Path(entry.path) for entry in entries if _owner(entry) == user]
            found += [path for path in mine if path != folder]
    return found


def _owner(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_uid
    except OSError:  # it has just gone
        return -1


def remove(paths: Iterable[Path]) -> None:
    for path in paths:
        subprocess.run(["rm", "-rf", "--", str(path)], capture_output=True)


def empty(folder: Path) -> None:
    """Removes all in it, however deep: Python's own ways give up at some depth."""
    if os.geteuid() != 0:
        subprocess.run(["chmod", "-R", "u+rwx", str(folder)], capture_output=True)
    remove(Path(entry.path) for entry in os.scandir(folder))
