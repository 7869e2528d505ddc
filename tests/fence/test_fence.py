"""What a program of a stranger may not: each promise of docs/safety.md, with every mechanism that draws the fence."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from deeds import FILES, REFUSED_TO_COMMANDS, REFUSED_TO_PROGRAMS, told

from theogony.fence import room
from theogony.fence.offered import rows
from theogony.fence.room import Room, called
from theogony.models.ask import ModelError, Request, View
from theogony.models.named import Command, Program

Done = Callable[..., Any]
VIEW = View(game="push_of_faith", seat=0, text="", legal=["push N to a", "push N to b"], observation=[0.0])
ASKED = Request([{"role": "user", "content": "x"}], VIEW)

# ------------------------------------------------------------------------------------------ files


@pytest.mark.parametrize("deed", FILES)
def test_no_file_of_the_machine_is_read_whatever_python_is_made_to_believe(
    done_by_program: Done, tmp_path: Path, deed: str
) -> None:
    secret = tmp_path / "other.games.jsonl"
    secret.write_text("the other hand")
    said = done_by_program(told([deed.replace("SECRET", repr(str(secret)))]))
    assert all("FileNotFoundError" in one or "OSError" in one for one in said), said
    assert secret.read_text() == "the other hand"


def test_a_program_sees_python_and_itself(done_by_program: Done, tmp_path: Path) -> None:
    (tmp_path / "beside.txt").write_text("x")
    top, beside, home = done_by_program(
        f"import os\ndef deed(): return [os.listdir('/'), os.listdir({str(tmp_path)!r}), "
        f"[one for one in os.listdir(os.path.dirname({str(Path.home())!r}) or '/') if one == 'home']]"
    )
    assert not {"proc", "sys", "home", "var", "mnt", "boot"} & set(top) and beside == ["program.py"] and home == []


def test_a_program_cannot_import_the_rules(
    done_by_program: Done, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither from a clone nor where they are installed beside NumPy."""
    installed = tmp_path / "site-packages"
    (installed / "theogony" / "envs").mkdir(parents=True)
    (installed / "theogony" / "__init__.py").write_text("here = 1")
    (installed / "other.py").write_text("here = 1")
    monkeypatch.syspath_prepend(installed)
    room._packages.cache_clear()
    try:
        said = done_by_program(
            told(["__import__('theogony').here", "__import__('theogony.envs')", "__import__('other').here"])
        )
    finally:
        room._packages.cache_clear()
    assert "here" in said[0] and "ModuleNotFoundError" in said[1] and said[2] == "1"


def test_a_command_sees_what_it_names_and_writes_nowhere_else(done_by_command: Done, tmp_path: Path) -> None:
    (tmp_path / "named").mkdir()
    (tmp_path / "named" / "weights.txt").write_text("weights")
    (tmp_path / "secret.txt").write_text("secret")
    read, secret, others, wrote, over, beside = done_by_command(
        told(
            [
                f"open({str(tmp_path / 'named' / 'weights.txt')!r}).read()",
                f"open({str(tmp_path / 'secret.txt')!r}).read()",
                "open('/etc/passwd').read()",
                "open('/tmp/own', 'w').write('x')",
                f"open({str(tmp_path / 'named' / 'weights.txt')!r}, 'w')",
                f"open({str(tmp_path / 'left')!r}, 'w')",
            ]
        ),
        f"--data={tmp_path / 'named'}",
    )
    assert read == "weights" and wrote == "1"
    assert all("FileNotFoundError" in one for one in (secret, others)) and "Read-only" in over
    assert not beside.startswith("OK") and not (tmp_path / "left").exists()


# ------------------------------------------------------------------------------------------ the system


def test_a_program_asks_nothing_of_the_system_but_to_compute(done_by_program: Done) -> None:
    said = dict(zip(REFUSED_TO_PROGRAMS, done_by_program(told(REFUSED_TO_PROGRAMS)), strict=True))
    assert not {deed: one for deed, one in said.items() if not one.startswith("refused")}


def test_a_command_makes_no_rooms_of_its_own_and_touches_no_other(done_by_command: Done) -> None:
    said = dict(zip(REFUSED_TO_COMMANDS, done_by_command(told(REFUSED_TO_COMMANDS)), strict=True))
    assert not {deed: one for deed, one in said.items() if not one.startswith("refused")}


def test_no_secret_of_the_environment_is_told(
    done_by_program: Done, done_by_command: Done, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    source = (
        "import os, glob\ndef deed(): return [dict(os.environ), "
        "[open(one, errors='replace').read() for one in glob.glob('/proc/[0-9]*/environ')]]"
    )
    for run in (done_by_program, done_by_command):
        assert "hunter2" not in str(run(source))


def test_nothing_but_its_pipes_is_handed_over(done_by_command: Done, tmp_path: Path) -> None:
    """Neither an open file of ours nor the terminal."""
    with (tmp_path / "open.txt").open("w") as ours:
        os.set_inheritable(ours.fileno(), True)
        files = done_by_command(
            "import os\nfds = '/proc/self/fd/'\n"
            "def deed(): return [os.readlink(fds + n) for n in ('0', '1', '2')] + os.listdir(fds)"
        )
    assert all(one.startswith("pipe:") for one in files[:3]) and set(files[3:]) == {"0", "1", "2", "3"}


def test_no_server_of_the_machine_is_reached(done_by_command: Done, done_by_program: Done, tmp_path: Path) -> None:
    """By an address, by a path, or by an abstract name."""
    with contextlib.ExitStack() as open_:
        tcp = open_.enter_context(socket.create_server(("127.0.0.1", 0)))
        path = open_.enter_context(socket.socket(socket.AF_UNIX))
        path.bind(str(tmp_path / "s"))
        path.listen()
        name = open_.enter_context(socket.socket(socket.AF_UNIX))
        name.bind(f"\0theogony-{os.getpid()}")
        name.listen()
        reaches = [
            f"socket.create_connection(('127.0.0.1', {tcp.getsockname()[1]}), 2)",
            f"socket.socket(socket.AF_UNIX).connect({str(tmp_path / 's')!r})",
            f"socket.socket(socket.AF_UNIX).connect(chr(0) + 'theogony-{os.getpid()}')",
        ]
        for run in (done_by_command, done_by_program):
            assert all("Error" in one for one in run(told(reaches)))


# ------------------------------------------------------------------------------------------ what is left behind


def running(word: str) -> list[int]:
    """The processes that have this word in their command."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if word.encode() in place.read_bytes():
                found.append(int(place.parent.name))
    return found


def wait_for(state: bool, word: str) -> None:
    """Wait until processes with this word are there, or are gone."""
    end = time.monotonic() + 30
    while bool(running(word)) != state:
        assert time.monotonic() < end, f"{word}: expected {'some' if state else 'none'}, found {running(word)}"
        time.sleep(0.02)


DAEMON = """
import os, subprocess, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "while True: pass", WORD])
    os._exit(0)
"""
HOST = """
import sys
from pathlib import Path
from theogony.models.named import Command
from theogony.models.ask import Request
from theogony.models.named import Program
view = {"game": "push_of_faith", "seat": 0, "text": "", "legal": ["a"], "observation": [0.0]}
file, kind = sys.argv[1:]
model = Program(Path(file), 60.0) if kind == "program" else Command(f"{sys.executable} {file}", 60.0)
print(model.reply(Request([{"role": "user", "content": "x"}], view)))
"""


def test_what_a_command_started_ends_with_it(done_by_command: Done) -> None:
    word = f"left-{os.getpid()}"
    done_by_command(f"{DAEMON.replace('WORD', repr(word))}\ntime.sleep(1)\ndef deed(): return 1")
    wait_for(False, word)


@pytest.mark.parametrize("kind", ["program", "command"])
def test_nothing_stays_behind_a_process_that_was_killed(how: str, tmp_path: Path, kind: str) -> None:
    """By SIGKILL, while a loop without end decides."""
    source = {
        "program": "import signal\ndef act(view):\n    signal.setitimer(signal.ITIMER_REAL, 0)\n    while True: pass\n",
        "command": f"{DAEMON.replace('WORD', repr(str(tmp_path)))}\nwhile True: pass\n",
    }
    file = tmp_path / f"endless_{kind}.py"
    file.write_text(source[kind])
    host = subprocess.Popen([sys.executable, "-c", HOST, str(file), kind])
    wait_for(True, "/room/inside.py")
    time.sleep(2)
    assert len(running(str(tmp_path))) >= 2
    host.kill()
    host.wait()
    wait_for(False, str(tmp_path))


def test_a_process_outlives_the_thread_that_started_it(how: str) -> None:
    """The kernel ends it with the thread that is its parent: games end in other threads than they began in."""
    command = Command("cat", 30.0)
    first = threading.Thread(target=lambda: command.reply(ASKED))
    first.start()
    first.join()
    time.sleep(0.2)
    process = command._idle.get_nowait()
    assert process.process.poll() is None
    command._idle.put(process)
    assert "content" in command.reply(ASKED).text
    command.close()


# ------------------------------------------------------------------------------------------ limits


def test_bombs_have_a_limit(done_by_command: Done) -> None:
    """Processes without end, and files."""
    source = f"""
import os, time
def deed():
    count, said = 0, []
    try:
        while count < {2 * room.PROCESSES}:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            count += 1
    except OSError as error:
        said.append(error.strerror)
    try:
        with open('/tmp/much', 'wb') as file:
            for _ in range({room.SMALL >> 19}):
                file.write(bytes(1 << 20))
    except OSError as error:
        said.append(error.strerror)
    return said
"""
    if os.geteuid() == 0 and not room._counted():
        pytest.skip("nothing here counts the processes of root: no control group can be made")
    assert done_by_command(source) == ["Resource temporarily unavailable", "No space left on device"]


FULL = """
import os, time
try:
    while os.fork() != 0: pass
except OSError:
    print("full", flush=True)
time.sleep(60)
"""


def test_a_room_that_is_full_leaves_others_their_processes(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0 and not room._counted():
        pytest.skip("nothing here counts the processes of root: no control group can be made")
    monkeypatch.setattr(room, "PROCESSES", 64)
    words, place = called([sys.executable, "-c", FULL])
    full = place.start(words)
    try:
        assert full.stdout is not None and full.stdout.readline() == b"full\n"
        words, place = called([sys.executable, "-c", "import os; print(os.fork() >= 0)"])
        assert b"True" in place.start(words).communicate()[0]
    finally:
        full.kill()
        full.communicate()


def test_control_groups_of_rooms_that_have_ended_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    if not (words := room._counted()):
        pytest.skip("processes of this user are counted without a group")
    assert Path(words[-1]).exists()
    monkeypatch.setattr(room, "STARTS", 0.0)
    assert Path(room._counted()[-1]).exists() and not Path(words[-1]).exists()


def test_a_reply_that_is_a_bomb_costs_nothing(how: str, tmp_path: Path) -> None:
    """A program finds the pipe and writes on it what takes long to read; deep, wide, or without an end."""
    for text in (
        "'{' + ','.join(f'\"{n:x}\":0' for n in range(9000)) + ',\"1\":0}\\n'",
        "'[' * 100000 + '\\n'",
        "'x' * 10**7",
    ):
        file = tmp_path / "bomb.py"
        file.write_text(
            "import os, time\ndef act(view):\n    for fd in range(3, 12):\n"
            f"        try: os.write(fd, ({text}).encode())\n"
            "        except OSError: pass\n    time.sleep(60)\n"
        )
        program, begun = Program(file, 10.0), time.monotonic()
        assert program.reply(ASKED).text.startswith("(")
        program.close()
        assert time.monotonic() - begun < 9


# ------------------------------------------------------------------------------------------ where there is none

NONE = "echo 0 > /proc/sys/user/max_user_namespaces && "  # in a namespace of users, where this holds for all within


def without_namespaces(command: list[str]) -> subprocess.CompletedProcess[str]:
    line = ["unshare", "--user", "--map-root-user", "sh", "-c", f'{NONE} exec "$@"', "sh", *command]
    tried = subprocess.run([*line[: -len(command)], "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"namespaces cannot be forbidden here for a test: {tried.stderr}")
    environment = {name: value for name, value in os.environ.items() if name != room.VARIABLE}
    return subprocess.run(line, capture_output=True, text=True, check=False, env=environment)


def test_without_a_fence_a_program_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("act = lambda view: 0\n")
    theogony = str(Path(sys.executable).with_name("theogony"))
    models = [theogony, "models", "push_of_faith", "--model", str(tmp_path / "first.py"), "--games", "2"]
    models += ["--against", "random", "--out", str(tmp_path / "out.json")]
    refused = without_namespaces(models)
    assert refused.returncode == 1 and not (tmp_path / "out.json").exists()
    for part in ("bubblewrap: ", "namespaces: ", "user.max_user_namespaces = 0", "--unconfined"):
        assert part in refused.stderr
    assert "fence" in without_namespaces([theogony, "doctor"]).stdout
    done = without_namespaces([*models, "--unconfined"])
    assert done.returncode == 0 and (tmp_path / "out.json").exists(), done.stderr


def test_doctor_tells_what_the_machine_offers(how: str) -> None:
    told = {name.strip(): (there, more) for name, there, more in rows()}
    assert told["fence"] == ("yes", f"programs of others are held by {how}") and told[how][0] == "yes"
    assert {"seccomp", "Landlock", "processors", "compiled rules", "browser", "ffmpeg", "node", "GPU"} <= set(told)


def test_a_mechanism_that_there_is_not_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(room.VARIABLE, "wall")
    with pytest.raises(ModelError, match=r"THEOGONY_FENCE: 'wall': expected bubblewrap, namespaces or none"):
        Command("cat")


def test_a_python_of_another_environment_is_shown_with_its_packages(how: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(other)], check=True)
    words, place = called([str(other / "bin" / "python"), "-c", "import sys, json; print(sys.prefix)"])
    assert place.start(words).communicate()[0].decode().strip() == str(other)


def test_the_room_is_empty_of_what_nobody_named(how: str) -> None:
    """No folder of the user but those of Python lies in a room in which nothing was named."""
    shown = [place for kind, _, place in Room()._shown([]) if kind in ("reads", "writes")]
    allowed = [*room.SYSTEM, *room.LIBRARIES, "/room", sys.prefix, sys.base_prefix, *room._packages()]
    assert all(any(Path(one).is_relative_to(os.path.realpath(top)) for top in allowed) for one in shown), shown
