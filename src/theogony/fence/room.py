"""Rooms for programs of strangers: what a process sees and may do, and how it is started there.

THEOGONY_FENCE names what draws the fence: `bubblewrap`, `namespaces`, or `none`, which is what `--unconfined` says.
Without it, the first that works is taken.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import functools
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from theogony.fence import calls

PIPE = subprocess.PIPE
INSIDE, OUTSIDE = (Path(__file__).resolve().with_name(name) for name in ("inside.py", "outside.py"))
VARIABLE, UNCONFINED = "THEOGONY_FENCE", "none"
LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
SYSTEM = ("/usr", "/bin", "/sbin", "/etc/alternatives", "/sys/devices/system/cpu")
DEVICES = ("null", "zero", "full", "random", "urandom")
PYTHON = 1 << 28  # bytes of addresses that Python and NumPy take
PROCESSES = 4096  # of programs that may start others
GROUPS, STARTS = "theogony-", 60.0  # names of control groups; seconds in which a new one is not yet in use
SMALL = 1 << 28  # bytes that fit into /tmp
PATH = "/usr/local/bin:/usr/bin:/bin"
ENVIRONMENT = {"HOME": "/tmp", "TMPDIR": "/tmp", "USER": "nobody", "PATH": PATH, "LANG": "C.UTF-8"}
ALONE = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
NOBODY = "65534"
GIVEN = "/room"  # where our own files are shown

Mount = tuple[str, str, str]  # kind, source, place


class FenceError(ValueError):
    """Nothing on this machine can hold a program of strangers: says what is missing."""


@dataclass(frozen=True)
class Room:
    """What a process sees and may do.

    Args:
        reads: files and folders that it sees, each at its own place and read-only.
        writes: folders in which it may write.
        first: for a file of our Python, modules that are imported before all else is shut; such a process starts no
            other, no thread, and writes nothing. None: any command, with what is installed in the system.
        memory: bytes that code in our Python may take.
        environment: its variables.
    """

    reads: tuple[Path, ...] = ()
    writes: tuple[Path, ...] = ()
    first: tuple[str, ...] | None = None
    memory: int = 1 << 30
    environment: Mapping[str, str] = field(default_factory=dict)

    def start(
        self, words: list[str], stdin: int = PIPE, stdout: int = PIPE, stderr: int = subprocess.DEVNULL, how: str = ""
    ) -> subprocess.Popen[bytes]:
        """A process in the room, whose fence is drawn by `how`, by default as `mechanism` says. Raises FenceError when
        nothing can hold it, and OSError."""
        how = how or mechanism()
        line, environment = self.line(how, words), {**ENVIRONMENT}
        if self.first is not None:
            environment |= ALONE | {"PYTHONPATH": os.pathsep.join(_packages())}
        elif how == UNCONFINED:
            line, environment = words, {**os.environ}
        else:
            line = [*_counted(), *line]
        environment |= self.environment
        make = functools.partial(
            subprocess.Popen, line, stdin=stdin, stdout=stdout, stderr=stderr, bufsize=0, env=environment,
            start_new_session=how != UNCONFINED,
        )  # fmt: skip
        return _starter().submit(make).result()

    def line(self, how: str, words: list[str]) -> list[str]:
        """The command line that runs the words in the room."""
        python = [sys.executable, "-P", "-s", "-B", *(() if self.first is not None else ("-S",))]
        if how == UNCONFINED:
            return [*python, str(INSIDE), self._plan(b""), *words]
        given = [f"{GIVEN}/{Path(words[0]).name}", *words[1:]] if words and self.first is not None else words
        plan = self._plan(calls.compiled(self.first is None))
        return [*LINES[how](self._shown(words)), *python, f"{GIVEN}/inside.py", plan, *given]

    def _plan(self, filter_: bytes) -> str:
        """What `inside.py` is told."""
        limits = {"CORE": 0, "MEMLOCK": 1 << 16}
        if self.first is not None:
            limits |= {"AS": self.memory + PYTHON, "FSIZE": 0}
        else:
            limits |= {"NPROC": PROCESSES, "DATA": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4}
        writes = ["/tmp", "/dev", *map(str, self.writes)] if self.first is None else []
        plan = {"limits": limits, "writes": writes, "filter": base64.b64encode(filter_).decode()}
        at = os.getcwd() if self.first is None else "/"
        return json.dumps(plan | {"at": at} | ({} if self.first is None else {"first": self.first}))

    def _shown(self, words: list[str]) -> list[Mount]:
        """All mounts of the room, each after those that it lies in."""
        commands = self.first is None
        reads = [sys.prefix, sys.base_prefix, sys.executable, *LIBRARIES, *(SYSTEM if commands else ()), *_packages()]
        mounts = [mount for path in (*reads, *map(str, self.reads)) for mount in _way(Path(path))]
        mounts += [("reads", str(INSIDE), f"{GIVEN}/inside.py")]
        mounts += [("device", f"/dev/{name}", f"/dev/{name}") for name in DEVICES]
        mounts += [("writes", str(path.resolve()), str(path.resolve())) for path in self.writes]
        if commands:
            mounts += [("proc", "proc", "/proc"), ("tmpfs", "tmpfs", "/tmp"), ("tmpfs", "tmpfs", "/dev/shm")]
            mounts += [("link", "/proc/self/fd", "/dev/fd"), ("folder", os.getcwd(), os.getcwd())]
        else:
            mounts += [("reads", words[0], f"{GIVEN}/{Path(words[0]).name}")] if words else []
            mounts += [
                ("tmpfs", "tmpfs", f"{folder}/theogony") for folder in _packages() if Path(folder, "theogony").is_dir()
            ]
        return _in_order(mounts)


def called(
    words: list[str],
    reads: tuple[Path, ...] = (),
    writes: tuple[Path, ...] = (),
    environment: Mapping[str, str] = MappingProxyType({}),
) -> tuple[list[str], Room]:
    """A command, and the room that shows it and all files and folders which it names.

    Raises FenceError when nothing can hold it, and FileNotFoundError when there is no such program.
    """
    if (program := shutil.which(words[0])) is None:
        raise FileNotFoundError(errno.ENOENT, "there is no such program", words[0])
    mechanism()
    named = [word.rpartition("=")[2] for word in words[1:]]
    shown = [Path(name) for name in (program, *named) if os.path.exists(name) and os.path.realpath(name) != "/"]
    for place in (Path(program).absolute(), Path(program).resolve()):  # a Python of another environment
        if place.parent.name == "bin":
            shown += [place.parents[1] / part for part in ("bin", "lib", "lib64", "pyvenv.cfg")]
    return [os.path.abspath(program), *words[1:]], Room((*shown, *reads), writes, environment=environment)


def mechanism() -> str:
    """What draws the fence here. Raises FenceError with what is missing."""
    if (named := os.environ.get(VARIABLE)) is not None:
        if named == UNCONFINED:
            return named
        if named not in LINES:
            raise FenceError(f"{VARIABLE}: {named!r}: expected {', '.join(LINES)} or {UNCONFINED}")
    missing = {}
    for how in LINES if named is None else (named,):
        if not (why := lacking(how)):
            return how
        missing[how] = why
    said = "; ".join(f"{how}: {why}" for how, why in missing.items())
    raise FenceError(
        f"nothing here holds a program of a stranger ({said}); --unconfined or {VARIABLE}=none runs it without"
    )


@functools.cache
def lacking(how: str) -> str:
    """Why this cannot draw the fence here, "" where it can: a room is made and shut, as it is for a program."""
    if not sys.platform.startswith("linux"):
        return "needs Linux"
    if how == "bubblewrap" and shutil.which("bwrap") is None:
        return "bwrap is not installed"
    try:
        tried = Room().start([], subprocess.DEVNULL, subprocess.DEVNULL, subprocess.PIPE, how)
        said = tried.communicate(timeout=30)[1].decode(errors="replace").strip().rpartition("\n")[2]
    except (ImportError, RuntimeError) as error:
        return f"seccomp: {error}"
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if tried.returncode == 0 else " ".join([said[:120] or "failed", *_forbidden()])


def _counted() -> tuple[str, ...]:
    """Words before a command that put it into a control group of its own: no other limit of processes holds root."""
    for top in ("/sys/fs/cgroup/pids", "/sys/fs/cgroup") if os.geteuid() == 0 else ():
        with contextlib.suppress(OSError):
            if Path(top, "cgroup.procs").exists():
                _leave(Path(top))
                group = Path(tempfile.mkdtemp(prefix=GROUPS, dir=top))
                (group / "pids.max").write_text(str(PROCESSES))
                return "/bin/sh", "-c", 'echo $$ > "$0" && exec "$@"', str(group / "cgroup.procs")
    return ()


def _leave(top: Path) -> None:
    """Remove the control groups of rooms that have ended; the kernel keeps those that are in use."""
    for group in top.glob(f"{GROUPS}*"):
        with contextlib.suppress(OSError):
            if time.time() - group.stat().st_mtime > STARTS:
                group.rmdir()


def _forbidden() -> Iterator[str]:
    """The settings of this kernel that keep users from namespaces of their own."""
    for name, forbids in SETTINGS.items():
        with contextlib.suppress(OSError):
            if Path("/proc/sys", name).read_text().strip() == forbids:
                yield f"({name.replace('/', '.')} = {forbids})"


SETTINGS = {
    "user/max_user_namespaces": "0",
    "kernel/unprivileged_userns_clone": "0",
    "kernel/apparmor_restrict_unprivileged_userns": "1",
}


def _bubblewrap(mounts: list[Mount]) -> list[str]:
    """The words before a command that Bubblewrap runs."""
    flags = {"reads": "--ro-bind", "writes": "--bind", "device": "--dev-bind", "link": "--symlink"}
    alone = {"tmpfs": ["--size", str(SMALL), "--tmpfs"], "proc": ["--proc"], "folder": ["--dir"]}
    line = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--unshare-user", "--uid", NOBODY, "--gid", NOBODY]
    line += ["--die-with-parent", "--as-pid-1", "--cap-drop", "ALL"]
    for kind, source, place in mounts:
        line += [flags[kind], source, place] if kind in flags else [*alone[kind], place]
    return [*line, "--remount-ro", "/", "--"]


def _namespaces(mounts: list[Mount]) -> list[str]:
    """The words before a command that `outside.py` runs."""
    return [sys.executable, "-I", "-S", "-B", str(OUTSIDE), str(os.getpid()), json.dumps(mounts)]


LINES = {"bubblewrap": _bubblewrap, "namespaces": _namespaces}


@functools.cache
def _packages() -> list[str]:
    """Folders of installed packages."""
    return [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages") and Path(path).is_dir()]


def packages_of(*modules: str) -> tuple[Path, ...]:
    """The folders of modules, and of what links in them lead to."""
    found = [Path(spec.origin).parent for name in modules if (spec := importlib.util.find_spec(name)) and spec.origin]
    return tuple(found) + tuple(path.resolve() for folder in found for path in folder.iterdir() if path.is_symlink())


def _way(path: Path) -> Iterator[Mount]:
    """The links on the way to a path, and what it leads to; nothing where nothing is."""
    if not path.exists():
        return
    at, parts = Path("/"), list(path.absolute().parts[1:])
    while parts:
        at /= parts.pop(0)
        if at.is_symlink():
            yield "link", os.readlink(at), str(at)
            parts = [*Path(os.path.normpath(at.parent / os.readlink(at))).parts[1:], *parts]
            at = Path("/")
    yield "reads", str(at), str(at)


def _in_order(mounts: list[Mount]) -> list[Mount]:
    """Without what another mount shows already, outer ones first."""
    kept: dict[str, Mount] = {}
    for mount in sorted(dict.fromkeys(mounts), key=lambda mount: (mount[2], mount[0] != "writes")):
        kind, _, place = mount
        around = next((kept[str(one)][0] for one in (Path(place), *Path(place).parents) if str(one) in kept), "")
        if around not in ("reads", "writes") or (around == "reads" and kind not in ("reads", "link", "folder")):
            kept[place] = mount
    return list(kept.values())


_STARTERS: dict[int, ThreadPoolExecutor] = {}


def _starter() -> ThreadPoolExecutor:
    """A thread that lives as long as this process: the kernel ends what a thread has started when the thread ends."""
    return _STARTERS.setdefault(os.getpid(), ThreadPoolExecutor(1, "fence"))
