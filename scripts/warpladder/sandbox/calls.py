# SPDX-License-Identifier: MIT
"""A filter of system calls for strangers' programs: calls that no exercise and no compiler needs are refused.

A kernel has hundreds of calls, and most of the holes that lead out of a sandbox were in those few that hardly anybody
uses. The list says what is refused, not what is allowed: a compiler, an emulator and a GPU's driver need many, and a
new one must not break a grade. It is a program for the kernel's packet filter, made here, because the bindings of
libseccomp come with the system's Python only; 40 lines are less than another dependency.
"""

from __future__ import annotations

import os
import struct

# x86-64, arm64; None: there is no such call
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # namespaces, and the tree of files
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "fanotify_init": (300, 262),
    # large parts of the kernel that are programs themselves
    "bpf": (321, 280),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    # keys, which are the user's, not the process's
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # memory that nobody can look at and that counts for no limit of ours
    "memfd_secret": (447, 447),
    # the machine itself
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    "personality": (135, 92),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
}
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, the kernel's own name for it
_CLONE, _CLONE3, _SOCKET = (56, 220), (435, 435), (41, 198)
_NEW_NAMESPACES = 0x7E020000  # the flags of clone() that make one
_FAMILIES = (1, 2, 10, 16)  # unix, IPv4, IPv6, netlink: what belongs to a namespace of networks
_OTHER_ABI = 0x40000000  # x32 on x86-64: the same calls under other numbers
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # offsets in what the filter is given; small end first
_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38


def known() -> bool:
    return os.uname().machine in _MACHINES


def program(machine: str = "") -> bytes:
    """The filter as the kernel and bubblewrap take it: an array of instructions. Nothing on an unknown machine."""
    machine = machine or os.uname().machine
    if machine not in _MACHINES:
        return b""
    column, architecture = _MACHINES[machine]
    code = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),  # 32-bit calls have numbers of their own: nobody needs them
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _OTHER_ABI),
        (_RETURN, 0, 0, _ERRNO | _ENOSYS),
        # Its flags lie in memory, where no filter can look; without it the C library takes clone().
        (_EQUAL, 0, 1, _CLONE3[column]),
        (_RETURN, 0, 0, _ERRNO | _ENOSYS),
    ]
    for numbers in _REFUSED.values():
        if (number := numbers[column]) is not None:
            code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | _EPERM)]
    code += [
        (_EQUAL, 0, 4, _CLONE[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_OF, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _ERRNO | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
        (_EQUAL, 1, 0, _SOCKET[column]),
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
    ]
    for family in _FAMILIES:
        code += [(_EQUAL, 0, 1, family), (_RETURN, 0, 0, _ALLOW)]
    code.append((_RETURN, 0, 0, _ERRNO | _EPERM))
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)
