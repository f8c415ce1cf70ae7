# SPDX-License-Identifier: MIT
"""What no exercise needs, in a student's file or in the program made of it. No proof of anything: somebody should look.

Comments count too: what is a comment can be hidden from a pattern, and a word too many costs a look.
"""

from __future__ import annotations

import re

_MOST = 12  # words in a remark
_GROUPS = (
    # the environment
    "getenv secure_getenv setenv putenv unsetenv clearenv environ __environ",
    # other programs and processes
    "system popen fork vfork clone clone3 execl execlp execle execv execvp execve execvpe posix_spawn ptrace prctl "
    "setsid pthread_create jthread sigaction setrlimit unshare",
    # files
    "fopen freopen fdopen fstream ifstream ofstream filebuf filesystem openat creat memfd_create mkfifo symlink unlink "
    "rename truncate ftruncate sendfile splice opendir readdir chdir dup2 dup3 closefrom",
    # the network
    "socket socketpair connect",
    # memory, code and the loader
    "mmap mprotect mremap dlopen dlsym dl_iterate_phdr syscall process_vm_readv process_vm_writev shmget incbin svc "
    "ifunc preinit_array init_array fini_array constructor destructor atexit on_exit",
    # the end of a program
    "_exit _Exit quick_exit longjmp",
    # the course's own
    "EXERCISE_MAIN run_main run_case",
    # headers
    "unistd fcntl dlfcn dirent csignal",
)
_WORDS = "|".join(" ".join(_GROUPS).split()).encode()
_ODD = re.compile(
    rb"\b(?:" + _WORDS + rb"|WARPLADDER_\w{1,40})\b"
    rb"|\b(?:main|open|close|exit|remove|read|write|link|signal|raise|kill|alarm)(?=[ \t]{0,9}\()"
    rb"|/(?:proc|sys|dev|etc|tmp|usr|home|root|var)\b"
    rb"|<(?:sys|linux)/"
    rb"|#[ \t]{0,9}(?:line\b|pragma[ \t]{1,9}(?:redefine_extname|weak)\b)"
    rb"|##|%:%:"  # names that are put together
)


_CALLS = frozenset((" ".join(_GROUPS) + " open close read write link signal raise kill alarm remove").split())


def odd_calls(asked_for: set[str]) -> list[str]:
    """Of what a program takes from libraries (imports.py): here no spelling helps."""
    plain = {name.removesuffix("64") for name in asked_for}
    return sorted(plain & _CALLS | {name for name in asked_for if " " in name})[:_MOST]


def odd_words(text: bytes) -> list[str]:
    joined = text.replace(b"\r", b"").replace(b"\\\n", b"")  # a name on two lines is one
    return sorted({match.group().decode("ascii", "replace") for match in _ODD.finditer(joined)})[:_MOST]
