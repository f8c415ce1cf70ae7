# SPDX-License-Identifier: MIT
"""Runs one command cut off from the machine. Started by sandbox.py, with what to do and where to report, never by hand.

Where the system allows it: no network, a process tree of its own, only the files named, another user, few system
calls. bubblewrap makes the first three where it is there (bubble.py); else what is here does. How the command ended and
what could be had goes to the report, a pipe that the command does not have, so it cannot write one itself. Stands alone
and imports little: it is started for every run, a thousand times for a class, and to start was most of what a short
run took. So no json (it brings re), and signal without its enums.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import resource
import sys
import time

TYPE_CHECKING = False  # to import typing takes longer than all else here
if TYPE_CHECKING:
    import signal
    from typing import Any

    Spec = dict[str, Any]
else:
    import _signal as signal

_NEWNS, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 1 << 17, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _BIND, _REC, _PRIVATE = 1, 2, 4, 8, 4096, 16384, 1 << 18
_PDEATHSIG, _SET_SECCOMP, _SUBREAPER, _NO_NEW_PRIVS = 1, 22, 36, 38
_FILTER_MODE = 2
_SETATTR, _AT_FDCWD, _RECURSIVE = 442, -100, 0x8000  # mount_setattr has the same number everywhere
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
_DEVICES = ("/dev/null", "/dev/urandom", "/dev/random")
_ROOT_TMPFS, _TMP_TMPFS = "mode=755,size=1m", "mode=1777,size=16m"

_libc = ctypes.CDLL(None, use_errno=True)


def _call(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    names = [word.encode() if word else None for word in (source, target, kind, data)]
    _call(_libc.mount(names[0], names[1], names[2], ctypes.c_ulong(flags), names[3]))


def _prctl(option: int, value: int) -> None:
    _libc.prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))


def unshare() -> set[str]:
    """Leaves the machine's namespaces, as far as it may; returns what it has of its own now."""
    own_user = 0 if os.geteuid() == 0 else _NEWUSER  # root needs no namespace of users for the others
    rest = _NEWPID | _NEWNET | _NEWIPC | _NEWUTS
    for flags, names in ((rest | _NEWNS, {"network", "processes", "mounts"}), (_NEWNET, {"network"})):
        trial = os.fork()  # some systems let it begin and refuse the second step, and there is no way back
        if trial == 0:
            os._exit(0 if _leave(flags | own_user) else 1)
        if os.waitpid(trial, 0)[1] == 0 and _leave(flags | own_user):
            return names
    return set()


def _leave(flags: int) -> bool:
    user, group = os.geteuid(), os.getegid()
    if _libc.unshare(flags) != 0:
        return False
    if flags & _NEWUSER:
        texts = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
        try:
            for file, text in texts.items():
                with open(f"/proc/self/{file}", "w") as stream:
                    stream.write(text)
        except OSError:
            return False
    return True


def _protect(path: str, attributes: int) -> None:
    """Makes a mount and all below it read-only and the like; an old kernel does it for the mount alone."""
    request = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    if _libc.syscall(_SETATTR, _AT_FDCWD, path.encode(), _RECURSIVE, request, ctypes.c_size_t(32)) != 0:
        kept = os.statvfs(path).f_flag & (_RDONLY | _NOSUID | _NODEV | _NOEXEC)
        _mount("", path, flags=_BIND | 32 | kept | attributes)  # 32: remount


def own_root(spec: Spec) -> None:
    """A root folder with nothing in it but the system's programs, what is named, and the folder to write to."""
    root, folder = spec["root"], spec["folder"]
    os.umask(0o022)
    _mount("", "/", flags=_REC | _PRIVATE)
    _mount("tmpfs", root, "tmpfs", _NOSUID | _NODEV, _ROOT_TMPFS)
    os.mkdir(root + "/tmp")
    _mount("tmpfs", root + "/tmp", "tmpfs", _NOSUID | _NODEV, _TMP_TMPFS)
    links = [path for path in _SYSTEM if os.path.islink(path)]
    for path in links:
        os.symlink(os.readlink(path), root + path)
    below = tuple(path + "/" for path in links)  # /bin/sh is found as /usr/bin/sh
    bound: list[str] = []
    for path in sorted({*_SYSTEM, *_DEVICES, *spec["readable"], folder}):
        if path.startswith(below):
            path = os.path.realpath(path)
        if path not in links and os.path.exists(path):
            _bind(root, path, bound, writable=path == folder)
    _mount_proc(root)
    _mount("", root, flags=_BIND | 32 | _RDONLY | _NOSUID | _NODEV)
    os.chroot(root)
    os.chdir("/")


def _bind(root: str, path: str, bound: list[str], writable: bool) -> None:
    inside = any(path == other or path.startswith(other + "/") for other in bound)
    if inside and not writable:
        return
    target = root + path
    if not inside:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.isdir(path):
            os.makedirs(target, exist_ok=True)
        else:
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    _mount(path, target, flags=_BIND | _REC)
    bound.append(path)
    device = path.startswith("/dev/")
    _protect(target, (0 if writable or device else _RDONLY) | _NOSUID | (0 if device else _NODEV))


def _mount_proc(root: str) -> None:
    os.mkdir(root + "/proc")
    try:
        _mount("proc", root + "/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
    except OSError:  # a container that hides parts of /proc allows no new one
        _mount("/proc", root + "/proc", flags=_BIND | _REC)


def _hide_processes() -> None:
    """A /proc that shows this tree alone, over the one that is there; for this process and what it starts."""
    try:
        _mount("", "/proc", flags=_REC | _PRIVATE)
        _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
    except OSError:
        pass


def become(user: int) -> None:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


class _Filter(ctypes.Structure):
    _fields_ = (("count", ctypes.c_ushort), ("code", ctypes.c_char_p))


def refuse_calls(code: bytes) -> None:
    """From here on, for this process and all that it starts. calls.py says which."""
    request = _Filter(len(code) // 8, code)
    _call(_libc.prctl(_SET_SECCOMP, ctypes.c_ulong(_FILTER_MODE), ctypes.byref(request), 0, 0))


def enter(group: str) -> None:
    with open(group + "/cgroup.procs", "w") as file:
        file.write("0")


def bubblewrapped(spec: Spec) -> None:
    """bubblewrap reads the filter from a file, which it closes."""
    words = spec["bwrap"]
    if spec["filter"]:
        file = os.memfd_create("filter", 0)
        os.write(file, spec["filter"])
        os.lseek(file, 0, os.SEEK_SET)
        words = [str(file) if word == "FILTER" else word for word in words]
    os.execve(words[0], words, spec["env"])


def execute(spec: Spec, has: set[str]) -> None:
    """In the last process: limits, user, command. Does not return."""
    try:
        limits = spec["limits"]
        by_namespace = spec["user"] is None and os.geteuid() != 0 and spec["counts_by_namespace"]
        if by_namespace and "processes" in has and not spec["bwrap"]:
            limits["NPROC"] = spec["processes"]  # what the user runs elsewhere does not count in here
        for name, value in limits.items():
            number = getattr(resource, "RLIMIT_" + name)
            hard = resource.getrlimit(number)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(number, (value, value))
        # Python ignores some, and so may whoever started us (nohup, a shell in the background): it would be handed on.
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_DFL)
        if spec["bwrap"]:
            bubblewrapped(spec)
        if spec["user"] is not None:
            become(spec["user"])
        _prctl(_NO_NEW_PRIVS, 1)
        os.chdir(spec["folder"])
        if spec["filter"]:
            refuse_calls(spec["filter"])
        os.execve(spec["program"], spec["command"], spec["env"])  # nothing can be imported here any more
    except (OSError, ValueError) as error:
        os.write(2, f"sandbox: cannot start {spec['command'][0]}: {error}\n".encode())
    finally:
        os._exit(127)


def supervise(spec: Spec, has: set[str], report: int) -> None:
    """Starts the command, waits for it, reports. First process of its tree where it has one of its own."""
    if "mounts" in has:
        try:
            own_root(spec)
            has.add("files")
        except OSError:  # then it has no root of its own, as below a root that is no mount: a /proc at least
            _hide_processes()
    worker = os.fork()
    if worker == 0:
        os.setsid()
        execute(spec, has)
    try:  # first to go when memory runs out
        with open(f"/proc/{worker}/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass
    while True:
        pid, status = os.wait()
        if pid == worker:
            break
    how, number = ("exit", os.WEXITSTATUS(status)) if os.WIFEXITED(status) else ("signal", os.WTERMSIG(status))
    if spec["bwrap"] and how == "exit" and 128 < number < 128 + 65:  # as a shell says it
        how, number = "signal", number - 128
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)  # its own children among them, as far as they have ended
    os.write(report, f"{how} {number} {usage.ru_utime + usage.ru_stime} {','.join(sorted(has))}".encode())


def sweep(spec: Spec, has: set[str]) -> None:
    """Ends all that is left where there is no process tree that ends by itself: by user, or by descent."""
    user = spec["user"] if "processes" not in has else None
    until = time.monotonic() + 5
    while time.monotonic() < until:
        if user is not None:
            left = of_user(user)
            killer = os.fork() if left else -1
            if killer == 0:
                become(user)
                try:
                    os.kill(-1, signal.SIGKILL)  # all of this user at once: none has the time to make another
                finally:
                    os._exit(0)
            if killer > 0:
                os.waitpid(killer, 0)
        else:  # orphans come to this process: it is their reaper
            left = descendants()
            if not left and "processes" in has:  # the tree has ended; one look makes sure
                return
            for number in (signal.SIGSTOP, signal.SIGKILL):  # stopped ones make no others while they are ended
                for _ in range(3):
                    for pid in descendants():
                        _kill(pid, number)
        reap()
        if not left:
            return
        time.sleep(0.01)


def of_user(user: int) -> list[int]:
    found = []
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{pid}").st_uid == user:
                found.append(int(pid))
        except OSError:  # it has just ended
            continue
    return found


def descendants() -> list[int]:
    """All processes below this one, by the parents that /proc names."""
    parents = {}
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                parents[int(pid)] = int(file.read().rsplit(b")", 1)[1].split()[1])
        except OSError:  # it has just ended
            continue
    found: list[int] = []
    new = {os.getpid()}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new}
        found += new
    return found


def _kill(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:  # it has just ended
        pass


def reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0] > 0:
            pass
    except ChildProcessError:
        pass


def main() -> None:
    """Does not return."""
    spec, report = marshal.loads(bytes.fromhex(sys.argv[1])), int(sys.argv[2])
    os.set_inheritable(report, False)
    _prctl(_SUBREAPER, 1)
    if spec["group"]:
        enter(spec["group"])
    if spec["bwrap"]:
        has = {"files", "network", "processes"}  # or it does not start anything
    else:
        has = unshare() if spec["isolate"] else set()
    has |= {"user"} if spec["user"] is not None else set()
    has |= {"calls"} if spec["filter"] else set()
    first = 0

    def stop(*_: object) -> None:
        if "processes" in has and first:
            os.kill(first, signal.SIGKILL)
        sweep(spec, has)
        os._exit(0)

    signal.signal(signal.SIGTERM, stop)
    _prctl(_PDEATHSIG, signal.SIGTERM)  # whoever watches the time is gone
    if "processes" in has:
        first = os.fork()
        if first == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            _prctl(_PDEATHSIG, signal.SIGKILL)
            try:
                supervise(spec, has, report)
            finally:
                os._exit(0)  # and with the first process its whole tree
        os.waitpid(first, 0)
    else:
        supervise(spec, has, report)
    sweep(spec, has)
    os._exit(0)  # nothing is left to be tidied up
