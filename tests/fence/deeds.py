"""What programs try in the tests of the fence: expressions of Python, of which each is to be refused."""

# Ways around what Python might forbid: every one reads a file, or ends as if there were none.
FILES = (
    "open(SECRET).read()",
    "open('/etc/passwd').read()",
    "setattr(__import__('__main__'), 'FORBIDDEN', ()) or open(SECRET).read()",
    "setattr(os, 'fsdecode', lambda path: sys.prefix) or open(SECRET).read()",
    "open(type('S', (str,), {'startswith': lambda *_: True})(SECRET)).read()",
    "__import__('readline').read_history_file(SECRET)",
    "open('/proc/self/root' + SECRET).read()",
    "open('/proc/self/cwd/../..' + SECRET).read()",
    "os.listdir(os.path.dirname(SECRET) + '/../..' + '/nothing')",
    "libc.fopen(SECRET.encode(), b'r') or fail()",
    "os.open(SECRET, os.O_PATH)",
)

_CALLS = {  # numbers of calls on this processor come from libseccomp; what is given is no matter, as none is begun
    "ptrace": "16, 1, 0, 0",
    "process_vm_readv": "1, 0, 0, 0, 0, 0",
    "process_vm_writev": "1, 0, 0, 0, 0, 0",
    "pidfd_getfd": "0, 0, 0",
    "kcmp": "1, 1, 0, 0, 0",
    "unshare": "0x10000000",
    "clone": "0x10000000 | 17, 0, 0, 0, 0",
    "clone3": "0, 0",
    "setns": "0, 0",
    "mount": "b'tmpfs', b'/', b'tmpfs', 0, 0",
    "umount2": "b'/usr', 2",
    "pivot_root": "b'.', b'.'",
    "chroot": "b'/'",
    "open_tree": "-100, b'/', 1",
    "fsopen": "b'tmpfs', 0",
    "move_mount": "0, b'', -100, b'/', 0",
    "io_uring_setup": "8, bytes(200)",
    "bpf": "0, bytes(100), 100",
    "perf_event_open": "bytes(128), 0, -1, -1, 0",
    "userfaultfd": "1",
    "keyctl": "0, -3, 0",
    "add_key": "b'user', b'x', b'y', 1, -3",
    "request_key": "b'user', b'x', 0, -3",
    "mq_open": "b'x', 66, 0o600, 0",
    "open_by_handle_at": "0, bytes(100), 0",
    "name_to_handle_at": "-100, b'/', bytes(100), bytes(8), 0",
    "personality": "0x40000",
    "quotactl": "0, 0, 0, 0",
    "reboot": "0, 0, 0, 0",
    "sethostname": "b'x', 1",
    "init_module": "0, 0, 0",
    "finit_module": "0, b'', 0",
    "kexec_load": "0, 0, 0, 0",
    "swapon": "b'/', 0",
    "acct": "b'/tmp/x'",
    "syslog": "3, bytes(100), 100",
    "fanotify_init": "0, 0",
    "landlock_create_ruleset": "0, 0, 1",
    "seccomp": "0, 0, 0",
}
REFUSED_TO_COMMANDS = [
    *(f"call({name!r}, {given})" for name, given in _CALLS.items()),
    "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)",
    "socket.socket(40, socket.SOCK_STREAM)",
    "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "socket.create_connection(('192.0.2.1', 80), 2)",
    "open('/proc/1/mem', 'r+b')",
    "open('/proc/self/oom_score_adj', 'w').write('-1000')",
    "open('/proc/sys/kernel/core_pattern', 'w').write('|/tmp/x')",
    "open('/proc/sysrq-trigger', 'w').write('h')",
    "open('/dev/sda')",
    "open('/dev/kmsg')",
    "open('/dev/tty')",
    "open('/dev/new', 'w')",
    "open('/usr/new', 'w')",
    "open('/new', 'w')",
    "open('/room/inside.py', 'a')",
    "open(__file__, 'a')",
    "os.mknod('/tmp/disk', 0o60600, 0xfe00)",
    "os.open('/tmp/owners', os.O_CREAT | os.O_WRONLY, 0o4755)",
    "(open('/tmp/owners2', 'w'), os.chmod('/tmp/owners2', 0o4755))",
    "os.setuid(0)",
    "os.nice(-5)",
    "time.clock_settime(0, 0)",
    "socket.if_nameindex()[1]",
    "[one for one in os.listdir('/proc') if one.isdigit()][2]",
]
REFUSED_TO_PROGRAMS = [
    *(f"call({name!r}, {given})" for name, given in _CALLS.items()),
    "os.fork()",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "subprocess.run(['true'])",
    "int(os.system('true') == 0) or fail()",
    "os.execv(sys.executable, [sys.executable])",
    "threading.Thread(target=print).start()",
    "multiprocessing.shared_memory.SharedMemory('theogony', create=True, size=100)",
    "socket.socket()",
    "socket.socket(socket.AF_UNIX)",
    "socket.socketpair()",
    "os.memfd_create('x')",
    "os.pipe()",
    "os.kill(os.getppid(), 9)",
    "os.kill(-1, 9)",
    "os.pidfd_open(1)",
    "open('there', 'w')",
    "open('/tmp/there', 'w')",
    "open('/dev/shm/there', 'w')",
    "os.open('/', os.O_TMPFILE | os.O_RDWR)",
    "os.mkdir('there')",
    "os.mkfifo('there')",
    "os.symlink('/etc/passwd', 'there')",
    "os.link(__import__('numpy').__file__, 'there')",
    "os.utime('/')",
    "os.chmod('/', 0o777)",
    "os.chdir('/usr')",
    "os.chroot('/')",
    "os.truncate(__import__('numpy').__file__, 0)",
    "call('shmget', 0x1234, 4096, 0o1666)",
    "call('msgget', 0x1234, 0o1666)",
    "call('semget', 0x1234, 1, 0o1666)",
    "call('prlimit64', 0, 9, bytes(16), 0)",
    "call('openat2', -100, b'/', bytes(24), 24)",
    "call('execveat', -100, b'/bin/true', 0, 0, 0)",
    "call('prctl', 4, 1, 0, 0, 0)",
    "call('setpriority', 0, 0, 19)",
]
HELP = """
import ctypes, multiprocessing.shared_memory, os, socket, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {numbers}
def fail(): raise OSError('gave nothing')
def call(name, *given):
    given = [one if isinstance(one, bytes) else ctypes.c_long(one) for one in given]
    if libc.syscall(ctypes.c_long(NUMBERS[name]), *given) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def tried(deed):
    try:
        return 'OK' if (found := eval(deed)) is None else str(found)[:200]
    except (Exception, SystemExit) as error:
        return f'refused: {{type(error).__name__}}: {{error}}'[:200]
def deed(): return [tried(deed) for deed in {deeds!r}]
"""


def told(deeds: list[str]) -> str:
    """The source of a program that tries them all and tells what came of each."""
    import pyseccomp

    names = {*_CALLS, *(deed.split("'")[1] for deed in deeds if deed.startswith("call("))}
    numbers = {name: pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) for name in names}
    return HELP.format(numbers=numbers, deeds=deeds)
