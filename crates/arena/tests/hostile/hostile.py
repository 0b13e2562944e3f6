"""Programs that try to harm their host, one function each. Prints `ESCAPED …` where one succeeds.

Run as `hostile.py NAME [ARGUMENT]`; an attack that is refused raises an exception and is reported as `held`.
"""
import ctypes
import mmap
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import threading
import time

ARGUMENT = sys.argv[2] if len(sys.argv) > 2 else ""
MIB = 1 << 20


def say(text):
    print(text, flush=True)


def linger():
    """Stays, as somebody would who wants to be in the way later."""
    time.sleep(600)


def overwrite_descriptors():
    """Whatever the referee left open: a filter that begins with this instruction allows every call."""
    allow_everything = bytes([6, 0, 0, 0, 0, 0, 0xff, 0x7f])
    for fd in range(3, 256):
        for path in [None, f"/proc/self/fd/{fd}", f"/proc/1/fd/{fd}"]:
            try:
                own = os.open(path, os.O_WRONLY) if path else fd
                # Devices and pipes hold nothing that could be overwritten.
                regular = stat.S_ISREG(os.fstat(own).st_mode)
            except OSError:
                continue
            ways = [lambda: os.pwrite(own, allow_everything, 0), lambda: os.ftruncate(own, 0)]
            for way in ways if regular else []:
                try:
                    way()
                    say(f"ESCAPED changed {path or fd}, {os.readlink(f'/proc/self/fd/{own}')}")
                except OSError:
                    pass
            if path:
                os.close(own)
    say("held")


def fork_bomb():
    count = 0
    try:
        while count < 5000:
            if os.fork() == 0:
                linger()
            count += 1
    except OSError:
        pass
    say(f"ESCAPED {count} processes" if count > 64 else f"held after {count}")
    linger()


def shell_fork_bomb():
    subprocess.run(["sh", "-c", "b() { b | b & }; b; sleep 600"])


def thread_bomb():
    count = 0
    try:
        while count < 5000:
            threading.Thread(target=linger, daemon=True).start()
            count += 1
    except RuntimeError:
        pass
    say(f"ESCAPED {count} threads" if count > 64 else f"held after {count}")
    linger()


def memory_hog():
    blocks = []
    while len(blocks) < 400:
        blocks.append(b"x" * (10 * MIB))
    say("ESCAPED 4000 MiB")


def memory_hog_in_children():
    for _ in range(20):
        if os.fork() == 0:
            block = b"x" * (100 * MIB)
            linger()
            del block
    time.sleep(3)
    say("ESCAPED 2000 MiB")


def shared_memory_hog():
    blocks = []
    for _ in range(200):
        block = mmap.mmap(-1, 10 * MIB, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
        for page in range(0, 10 * MIB, 4096):
            block[page] = 1
        blocks.append(block)
    say("ESCAPED 2000 MiB")


def memory_file():
    os.memfd_create("x")
    say("ESCAPED a file in memory")


def system_v_memory():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.shmget(0, 100 * MIB, 0o1600) >= 0:
        say("ESCAPED shared memory")
    else:
        say("held")


def fill(folder):
    written = 0
    try:
        for number in range(100):
            with open(f"{folder}/fill{number}", "wb", buffering=0) as file:
                for _ in range(15):
                    written += file.write(b"x" * MIB)
    except OSError:
        pass
    say(f"ESCAPED {written >> 20} MiB" if written > 16 * MIB else f"held after {written >> 20} MiB")


def fill_tmp():
    fill("/tmp")


def fill_shared_memory():
    fill("/dev/shm")


def many_files():
    for number in range(200_000):
        open(f"/tmp/{number}", "w").close()
    say("ESCAPED 200000 files")


def huge_file():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("/tmp/huge", "wb") as file:
        file.truncate(100 * MIB)
    say("ESCAPED a file of 100 MiB")


def write_anywhere():
    for path in ["/x", "/program/x", "/usr/x", "/usr/bin/x", "/etc/x", "/dev/x", "/var/x", "/home/x", "/root/x", "/proc/x", "/run/x"]:
        try:
            open(path, "w").close()
            say(f"ESCAPED wrote {path}")
        except OSError:
            pass
    say("held")


def change_program():
    os.chmod("/program/hostile.py", 0o777)
    say("ESCAPED changed its own file's mode")


def call(kind, address):
    with socket.socket(*kind) as line:
        line.settimeout(2)
        line.connect(address)
        line.send(b"x")
    say("ESCAPED connected")


def call_internet():
    call((socket.AF_INET, socket.SOCK_STREAM), ("192.0.2.1", 80))


def call_by_datagram():
    call((socket.AF_INET, socket.SOCK_DGRAM), ("192.0.2.1", 53))


def call_host():
    call((socket.AF_INET, socket.SOCK_STREAM), ("127.0.0.1", int(ARGUMENT)))


def call_abstract_socket():
    call((socket.AF_UNIX, socket.SOCK_STREAM), "\0" + ARGUMENT)


def raw_socket():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    say("ESCAPED a raw socket")


def read_file(path):
    with open(path, "rb") as file:
        say(f"ESCAPED read {len(file.read())} bytes of {path}")


def read_others():
    read_file(ARGUMENT)


def read_passwords():
    for path in ["/etc/shadow", "/etc/passwd", "/root/.ssh/id_rsa", "/etc/ssh/ssh_host_rsa_key"]:
        try:
            read_file(path)
        except OSError:
            pass
    say("held")


def read_through_proc():
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            for way in ["root", "cwd"]:
                try:
                    read_file(f"/proc/{pid}/{way}/{ARGUMENT}")
                except OSError:
                    pass
    say("held")


def read_through_symlink():
    os.symlink(ARGUMENT, "/tmp/link")
    read_file("/tmp/link")


def read_through_own_symlink():
    read_file("/program/link")


def read_keys():
    """The files of a class beside the program's own folder, by every way up."""
    folder = os.path.dirname(ARGUMENT)
    ways = [folder, "/program/..", "..", "/proc/self/cwd/..", "/proc/self/root" + folder, "/proc/1/root" + folder]
    ways += [f"/proc/{os.getppid()}/root{folder}", f"/proc/self/fd/0/../..{folder}"]
    for way in ways:
        for name in ["students.json", "teacher.json", "creator.json"]:
            try:
                read_file(f"{way}/{name}")
            except OSError:
                pass
    say("held")


def link_others():
    for target in [ARGUMENT, "/etc/shadow", "/proc/1/root" + ARGUMENT]:
        try:
            os.link(target, "/tmp/hard", follow_symlinks=True)
            read_file("/tmp/hard")
        except OSError:
            pass
    say("held")


# By processor: open_by_handle_at, ptrace, process_vm_readv, add_key, keyctl, io_uring_setup, mount.
CALLS = {
    "x86_64": {"handle": 304, "trace": 101, "peek": 310, "add_key": 248, "keyctl": 250, "ring": 425, "mount": 165},
    "aarch64": {"handle": 265, "trace": 117, "peek": 270, "add_key": 217, "keyctl": 219, "ring": 425, "mount": 40},
}


def refused(name, *words):
    """Makes a system call that must be refused; a number is only as good as the machine it is for."""
    number = CALLS[os.uname().machine][name]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(number, *words) >= 0:
        say(f"ESCAPED {name}")
    return ctypes.get_errno()


def open_by_handle():
    """A handle of the root folder, as a container of old was left with it."""
    handle = (ctypes.c_uint * 4)(8, 1, 2, 0)
    root = os.open("/", os.O_RDONLY)
    refused("handle", root, ctypes.byref(handle), os.O_RDONLY)
    say("held")


def trace_others():
    memory = ctypes.create_string_buffer(64)
    vector = (ctypes.c_size_t * 2)(ctypes.addressof(memory), 64)
    for pid in [1, os.getppid()]:
        refused("trace", 16, pid, 0, 0)
        refused("peek", pid, ctypes.byref(vector), 1, ctypes.byref(vector), 1, 0)
        try:
            read_file(f"/proc/{pid}/mem")
        except OSError:
            pass
    say("held")


def kernel_keys():
    for ring in [-1, -3, -4, -5]:
        refused("add_key", b"user", b"tengen", b"x", 1, ring)
        refused("keyctl", 0, ring, 1)
    say("held")


def io_uring():
    refused("ring", 8, ctypes.create_string_buffer(256))
    say("held")


def mount_over():
    for kind, flags in [(b"tmpfs", 0), (b"proc", 0), (None, 4096), (None, 32)]:
        refused("mount", b"/", b"/tmp", kind, flags, None)
    say("held")


def see_processes():
    names = []
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                names.append(file.read())
    strangers = [name for name in names if name and b"hostile" not in name]
    say(f"ESCAPED sees {strangers}" if strangers else "held")


def see_secrets():
    found = ["environment"] if "TENGEN_SECRET" in os.environ else []
    for pid in os.listdir("/proc"):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                found += [pid] if b"TENGEN_SECRET" in file.read() else []
        except OSError:
            pass
    say(f"ESCAPED read the secret: {found}" if found else "held")


def kill_everybody():
    os.kill(-1, signal.SIGKILL)
    os.kill(int(ARGUMENT), signal.SIGKILL)
    say("held")


def ignore_signals():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        time.sleep(1)


def flood():
    while True:
        os.write(1, b"MESSAGE nothing\n" * 4096)


def flood_without_lines():
    while True:
        os.write(1, b"x" * 65536)


def flood_errors():
    while True:
        os.write(2, b"error " * 10000)


def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in range(3):
                os.close(number)
            os.execve("/bin/sleep", ["sleep", "600"], {})
        os._exit(0)
    time.sleep(0.2)
    os._exit(0)


def close_pipes():
    os.close(0)
    os.close(1)
    os.close(2)
    linger()


def burn():
    for _ in range(8):
        if os.fork() == 0:
            break
    while True:
        pass


def open_files():
    files = []
    try:
        while len(files) < 5000:
            files.append(open("/dev/null"))
    except OSError:
        pass
    say(f"ESCAPED {len(files)} files" if len(files) > 64 else f"held after {len(files)}")


def raise_limits():
    for kind in [resource.RLIMIT_DATA, resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_CPU]:
        try:
            resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            say("ESCAPED raised a limit")
        except ValueError:
            pass
    say("held")


def new_namespaces():
    libc = ctypes.CDLL(None, use_errno=True)
    for flags in [0x10000000, 0x00020000, 0x40000000, 0x10020000]:
        if libc.unshare(flags) == 0:
            say("ESCAPED unshared")
    if subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], capture_output=True).returncode == 0:
        say("ESCAPED a sandbox in the sandbox")
    say("held")


def become_root():
    for way in [lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0])]:
        try:
            before = os.getuid()
            way()
            if before != 0:
                say("ESCAPED changed user")
        except OSError:
            pass
    subprocess.run(["su", "-c", "true"], capture_output=True, timeout=2)
    try:
        os.chroot("/tmp")
        say("ESCAPED chroot")
    except OSError:
        say("held")


def devices():
    for path in ["/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/proc/kcore", "/proc/sysrq-trigger"]:
        try:
            with open(path, "rb") as file:
                if file.read(1):
                    say(f"ESCAPED read {path}")
        except OSError:
            pass
    os.mknod("/tmp/device", 0o60666, os.makedev(8, 0))
    say("ESCAPED made a device")


def kernel_settings():
    for path in ["/proc/sys/kernel/hostname", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger", "/proc/1/oom_score_adj"]:
        try:
            with open(path, "w") as file:
                file.write("-999")
            say(f"ESCAPED wrote {path}")
        except OSError:
            pass
    say("held")


def realtime():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    say("ESCAPED realtime priority")


def set_clock():
    for way in [lambda: time.clock_settime(time.CLOCK_REALTIME, 0), lambda: os.setpriority(os.PRIO_PROCESS, 0, -20)]:
        try:
            way()
            say("ESCAPED changed the clock or its priority")
        except OSError:
            pass
    say("held")


try:
    globals()[sys.argv[1]]()
except (OSError, MemoryError, ValueError) as refused:
    say(f"held: {type(refused).__name__}")
