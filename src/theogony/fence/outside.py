"""A room from namespaces alone, where Bubblewrap is not installed: `python outside.py PARENT MOUNTS WORD...`.

MOUNTS is JSON, a list of [kind, source, place] in the order in which they are made; `room.py` makes it.
The process ends with its parent, and all processes of the room with it.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import struct
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
# User, mount, PID, network, IPC, UTS and cgroup: CLONE_NEW... of sched.h
NAMESPACES = 0x10000000 | 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000 | 0x02000000
NOSUID, NODEV, NOEXEC, BIND, REC, PRIVATE = 2, 4, 8, 0x1000, 0x4000, 1 << 18  # MS_... of mount.h
MOUNT_SETATTR, BENEATH, HERE = 442, 0x8000, -100  # a call, AT_RECURSIVE, AT_FDCWD
READ_ONLY, NO_SUID, NO_DEVICES = 1, 2, 4  # MOUNT_ATTR_...
ENDS_WITH_PARENT, KILL, DUMPABLE = 1, 9, 4  # of `prctl`, and a signal
SET_FLAGS, UP = 0x8914, 1  # SIOCSIFFLAGS, IFF_UP
DETACHED = 2  # MNT_DETACH
# Kinds of mounts that show something of the machine, and what they may not.
BINDS = {"reads": READ_ONLY | NO_SUID | NO_DEVICES, "writes": NO_SUID | NO_DEVICES, "device": NO_SUID}
BEFORE = "/.before"  # where the former root is until all is shown
NOBODY = 65534
SIZES = "size=256m,nr_inodes=65536,mode=755"
KINDS = {"tmpfs": (NOSUID | NODEV, SIZES), "proc": (NOSUID | NODEV | NOEXEC, None)}


def main(parent: int, mounts: list[tuple[str, str, str]], words: list[str]) -> int:
    """Make the room and run the words in it. Returns how they ended."""
    LIBC.prctl(ENDS_WITH_PARENT, KILL, 0, 0, 0)
    if os.getppid() != parent:
        return 1
    user, group = os.geteuid(), os.getegid()
    checked(LIBC.unshare(NAMESPACES), "unshare")
    for file, text in (("setgroups", "deny"), ("uid_map", f"{NOBODY} {user} 1"), ("gid_map", f"{NOBODY} {group} 1")):
        with open(f"/proc/self/{file}", "w") as written:
            written.write(text)
    ended, lives = os.pipe()
    if child := os.fork():
        os.close(ended)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return code if code >= 0 else 128 - code
    os.close(lives)
    LIBC.prctl(ENDS_WITH_PARENT, KILL, 0, 0, 0)
    os.set_blocking(ended, False)
    try:
        os.read(ended, 1)
        return 1  # the end of the pipe: our parent had gone before we asked to end with it
    except BlockingIOError:
        os.close(ended)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        fcntl.ioctl(one, SET_FLAGS, struct.pack("16sh14x", b"lo", UP))  # a network of this room alone
    furnish(mounts)
    os.execv(words[0], words)


def furnish(mounts: list[tuple[str, str, str]]) -> None:
    """Replace the root of this mount namespace by one that holds the mounts and nothing else."""
    mount("none", "/", None, REC | PRIVATE)
    mount("tmpfs", "/tmp", "tmpfs", NOSUID | NODEV, SIZES)
    os.mkdir(f"/tmp{BEFORE}")
    checked(LIBC.pivot_root(b"/tmp", os.fsencode(f"/tmp{BEFORE}")), "pivot_root")
    os.chdir("/")
    for kind, source, place in mounts:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if kind == "link":
            os.symlink(source, place)
        elif kind not in BINDS or os.path.isdir(BEFORE + source):
            os.makedirs(place, exist_ok=True)
        elif not os.path.exists(place):
            os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o600))
        if kind in BINDS:
            mount(BEFORE + source, place, None, BIND | REC)
            restrict(place, BINDS[kind])
        elif kind in KINDS:
            mount(kind, place, kind, *KINDS[kind])
    checked(LIBC.umount2(os.fsencode(BEFORE), DETACHED), "umount")
    os.rmdir(BEFORE)
    restrict("/", READ_ONLY, 0)


def mount(source: str, place: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """`mount`, or OSError."""
    words = [None if word is None else os.fsencode(word) for word in (source, place, kind, options)]
    checked(LIBC.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]), f"mount {place}")


def restrict(place: str, attributes: int, flags: int = BENEATH) -> None:
    """Take rights from a mount, and from those beneath it."""
    asked = (ctypes.c_uint64 * 4)(attributes)
    arguments = HERE, os.fsencode(place), flags, asked, ctypes.c_size_t(ctypes.sizeof(asked))
    checked(LIBC.syscall(MOUNT_SETATTR, *arguments), f"mount_setattr {place}")


def checked(result: int, what: str) -> None:
    """Raise OSError where a call of the C library failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    try:
        code = main(int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:])
    except OSError as error:
        sys.exit(str(error.args[-1]))
    os._exit(code)
