"""The calls of the system that are left to a process in the room, and the seccomp filter that refuses all others.

Lists of what is allowed, since a list of what is forbidden misses what the next kernel brings.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import tempfile

# What Python and NumPy need to compute and to talk over pipes that are open: no process, thread or socket.
COMPUTE = """
read readv write writev pread64 close fstat stat lstat newfstatat statx lseek access faccessat faccessat2 readlink
readlinkat getdents64 getcwd fcntl dup mmap mprotect munmap mremap madvise brk futex membarrier get_robust_list
set_robust_list rseq set_tid_address arch_prctl rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall
setitimer getitimer alarm pause clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrandom
getpid gettid getppid getuid geteuid getgid getegid getrusage getrlimit uname sysinfo sched_getaffinity sched_yield
getcpu poll ppoll select pselect6 exit exit_group
""".split()

# What programs in general need besides: files, processes, threads and sockets, all of the room.
PROGRAMS = """
pwrite64 preadv preadv2 pwritev pwritev2 close_range dup2 dup3 pipe pipe2 eventfd eventfd2 signalfd4 timerfd_create
timerfd_settime timerfd_gettime epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 inotify_init1
inotify_add_watch inotify_rm_watch flock fsync fdatasync sync_file_range truncate ftruncate fallocate fadvise64
readahead sendfile copy_file_range splice tee rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink
symlinkat unlink unlinkat chown fchown fchownat lchown utime utimes utimensat futimesat umask chdir fchdir statfs
fstatfs getdents getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr memfd_create mincore msync mlock munlock
mlock2 mbind get_mempolicy set_mempolicy fork vfork execve execveat wait4 waitid kill tkill tgkill pidfd_open
pidfd_send_signal rt_sigpending rt_sigsuspend rt_sigtimedwait rt_sigqueueinfo rt_tgsigqueueinfo setsid getsid setpgid
getpgid getpgrp getgroups getresuid getresgid setuid setgid setresuid setresgid setgroups capget capset prctl
prlimit64 setrlimit getpriority setpriority sched_setaffinity sched_getparam sched_setscheduler sched_getscheduler
sched_get_priority_max sched_get_priority_min sched_getattr sched_setattr ioprio_get futex_waitv socketpair connect
bind listen accept accept4 getsockname getpeername setsockopt getsockopt sendto recvfrom sendmsg recvmsg sendmmsg
recvmmsg shutdown ioctl timer_create timer_settime timer_gettime timer_delete timer_getoverrun clock_settime shmget
shmat shmdt shmctl semget semop semctl semtimedop
""".split()

# Newer calls whose absence libraries notice, so that they take an older one.
ABSENT = "clone3 openat2 io_uring_setup io_uring_enter io_uring_register".split()
WRITING = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | os.O_APPEND | getattr(os, "O_TMPFILE", 0) & ~os.O_DIRECTORY
SPACES, OWNERS = 0x7E020080, 0o6000  # flags of `clone` that make namespaces; bits that run a file as its owner
# Calls that are left to programs where, of an argument, none of these bits is set.
WITHOUT = (
    ("clone", 0, SPACES), ("chmod", 1, OWNERS), ("fchmod", 1, OWNERS), ("fchmodat", 2, OWNERS), ("creat", 1, OWNERS),
    ("open", 1, os.O_CREAT), ("open", 2, OWNERS), ("openat", 2, os.O_CREAT), ("openat", 3, OWNERS),
)  # fmt: skip
SOCKETS = 1, 2, 10  # AF_UNIX, AF_INET and AF_INET6


@functools.cache
def compiled(programs: bool) -> bytes:
    """The filter as the kernel reads it, for code in our Python or for any programs.

    Raises ImportError without pyseccomp and RuntimeError without libseccomp.
    """
    import pyseccomp as seccomp

    allow, refuse = seccomp.ALLOW, seccomp.ERRNO
    made = seccomp.SyscallFilter(refuse(errno.EPERM))
    made.set_attr(seccomp.Attr.CTL_OPTIMIZE, 2)  # a tree, since decisions make many calls
    rules: list[tuple[int, str, tuple[seccomp.Arg, ...]]] = [(allow, name, ()) for name in COMPUTE]
    rules += [(refuse(errno.ENOSYS), name, ()) for name in ABSENT]
    if programs:
        rules += [(allow, name, ()) for name in PROGRAMS]
        rules += [(allow, name, (seccomp.Arg(at, seccomp.MASKED_EQ, bits, 0),)) for name, at, bits in WITHOUT]
        rules += [(allow, "socket", (seccomp.Arg(0, seccomp.EQ, family),)) for family in SOCKETS]
    else:
        rules += [(refuse(errno.ENOTTY), "ioctl", ())]
        rules += [(allow, "prlimit64", (seccomp.Arg(2, seccomp.EQ, 0),))]
        rules += [(allow, "openat", (seccomp.Arg(2, seccomp.MASKED_EQ, WRITING, os.O_RDONLY),))]
        rules += [(allow, "open", (seccomp.Arg(1, seccomp.MASKED_EQ, WRITING, os.O_RDONLY),))]
    for action, name, conditions in rules:
        with contextlib.suppress(OSError):  # a call of other processors, or one that this libseccomp does not know yet
            made.add_rule(action, seccomp.resolve_syscall(seccomp.Arch.NATIVE, name), *conditions)
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()
