"""What hostile code may try from within a worker: bodies of a function, and how each must end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# Runs before every body. An attacker who has read our source finds the channel and the nonce.
PRELUDE = """
import ctypes, gc, json, mmap, os, resource, signal, socket, stat, struct, sys, threading, time
import torch
from torch import nn
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
libc.syscall.argtypes = [ctypes.c_long] * 7

def channel():
    for fd in range(3, 4096):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return fd
        except OSError:
            pass

def nonce():
    frame = sys._getframe()
    while frame:
        if isinstance(frame.f_locals.get("nonce"), bytes):
            return frame.f_locals["nonce"]
        frame = frame.f_back

def header(text, section, number=None):
    return struct.pack("<4s16sIQ", b"TCW1", number or nonce(), text, section)

def forged(value, number=None):
    ok = {"value": value, "grads": None, "parameter_grads": None, "requires_grad": False}
    ok |= {"mutated": [], "operators": []}
    text = json.dumps({"o": {"answer": {"o": {"ok": {"o": ok}}}}}).encode()
    return header(len(text), 0, number) + text

def say(data):
    fd = channel()
    while data:
        data = data[os.write(fd, data):]

def outcome(action):
    try:
        return str(action())
    except BaseException as error:
        return type(error).__name__
"""


@dataclass(frozen=True)
class Attack:
    """A body of `f(x)`; `ends` is a problem's or a death's kind or "value", or some with |."""

    name: str
    body: str
    ends: str
    value: Any = None  # where it ends with a value, which; None: any
    seconds: float = 30.0
    next_ends: str = "value"  # how a harmless call to the same worker ends afterwards, if it lives


def _a(name: str, body: str, ends: str, **rest: Any) -> Attack:
    return Attack(name, body, ends, **rest)


ENDING = [
    _a("sys.exit", "sys.exit(0)", "exited"),
    _a("os._exit", "os._exit(0)", "crashed"),
    _a("os.abort", "os.abort()", "crashed"),
    _a("segfault", "ctypes.string_at(0)", "crashed"),
    _a("illegal instruction", "m = mmap.mmap(-1, 4096, prot=7)\nm.write(b'\\x0f\\x0b')\n"
       "a = ctypes.addressof(ctypes.c_char.from_buffer(m))\nctypes.CFUNCTYPE(None)(a)()", "crashed"),
    _a("C stack", "sys.setrecursionlimit(10**9)\n"
       "def g(n): return sorted([n], key=lambda _: g(n + 1))\nreturn g(0)", "crashed"),
    _a("recursion", "def g(): return g()\nreturn g()", "raised"),
    _a("kills itself", "os.kill(os.getpid(), signal.SIGKILL)\nreturn 1", "value", value=1),
    _a("stops itself", "os.kill(os.getpid(), signal.SIGSTOP)\nreturn 1", "value", value=1),
    _a("stops a thread", "libc.syscall(234, os.getpid(), threading.get_native_id(),"
       " signal.SIGSTOP, 0, 0, 0)\nreturn 1", "value", value=1),
    _a("kills its parent", "return [outcome(lambda: os.kill(p, 9)) for p in (0, -1, 2, 3, 4)]",
       "value", value=["PermissionError"] * 5),
    _a("kills all it can name", "return sum(outcome(lambda: os.kill(p, 9)) == 'None'"
       " for p in range(2, 3000))", "value", value=0),
    _a("signals its group", "return outcome(lambda: os.killpg(0, 9))", "value",
       value="PermissionError"),
    _a("its own end by alarm", "signal.setitimer(signal.ITIMER_REAL, 0.01)\n"
       "signal.signal(signal.SIGALRM, signal.SIG_DFL)\nt = time.monotonic() + 0.1\n"
       "while time.monotonic() < t: pass\nreturn 1", "value", value=1),
    _a("exits while answering", "class E(Exception):\n    def __str__(self): os._exit(0)\nraise E",
       "crashed"),
]  # fmt: skip

TIME = [
    _a("endless loop", "while True: pass", "timeout", seconds=0.3),
    _a("loop that ignores signals", "for s in range(1, 65):\n"
       "    outcome(lambda: signal.signal(s, signal.SIG_IGN))\nwhile True: pass",
       "timeout", seconds=0.3),
    _a("loop that catches everything", "while True:\n    try:\n        while True: pass\n"
       "    except BaseException: pass", "timeout", seconds=0.3),
    _a("loop in C", "return sum(range(10**12))", "timeout", seconds=0.3),
    _a("sleep", "time.sleep(1000)", "timeout", seconds=0.3),
    _a("waits for input for ever", "os.read(channel(), 1)", "timeout", seconds=0.3),
    _a("loop in an error's text", "class E(Exception):\n    def __str__(self):\n"
       "        while True: pass\nraise E", "timeout", seconds=0.3),
    _a("loop in a subclass's method", "class T(torch.Tensor):\n    @classmethod\n"
       "    def __torch_function__(c, f, t, a=(), k=None):\n        while True: pass\n"
       "return x.as_subclass(T)", "value|timeout", seconds=2.0),
    _a("an answer that trickles in", "number = nonce()\ndata = header(1000, 0)\n"
       "for byte in data + b' ' * 1000:\n    say(bytes([byte]))\n    time.sleep(0.05)",
       "timeout", seconds=0.5),
    _a("an answer that never comes to its end", "say(header(1000, 0) + b'[')\ntime.sleep(1000)",
       "timeout", seconds=0.5),
    _a("CPU time", "while True: pass", "timeout", seconds=60.0),
]  # fmt: skip

MEMORY = [
    _a("blocks", "kept = []\nwhile True: kept.append(torch.ones(10_000_000))", "memory"),
    _a("one huge tensor", "return torch.empty(2**45)", "memory"),
    _a("a huge bytearray", "return bytearray(2**36)", "memory"),
    _a("a list without end", "return list(range(10**10))", "memory"),
    _a("a string without end", "s = 'x'\nwhile True: s += s", "memory"),
    _a("shared memory", "return mmap.mmap(-1, 2**34)", "memory"),
    _a("memory files", "return outcome(lambda: os.memfd_create('a'))", "value",
       value="PermissionError"),
    _a("System V segments", "return libc.syscall(29, 0, 2**30, 0o1600, 0, 0, 0)", "value",
       value=-1),
    _a("an error of a gigabyte", "class E(Exception):\n    def __str__(self): return 'x' * 2**30\n"
       "raise E", "raised"),
    _a("a million tensors", "out = [torch.zeros(1)] * 1_000_000\nfor _ in range(1000):\n"
       "    out = [out]\nreturn out", "value"),
    _a("a tensor that claims more than there is", "return torch.zeros(1).expand(2**40)", "value"),
    _a("a big answer", "return ['x' * 400_000] * 1000", "value"),
    _a("a frame that promises much", "say(header(2**32 - 1, 2**64 - 1))", "protocol"),
]  # fmt: skip

PROCESSES = [
    _a("fork", "return outcome(os.fork)", "value", value="PermissionError"),
    _a("vfork", "return libc.syscall(58, 0, 0, 0, 0, 0, 0)", "value", value=-1),
    _a("clone", "return libc.syscall(56, signal.SIGCHLD, 0, 0, 0, 0, 0)", "value", value=-1),
    _a("clone into namespaces", "return libc.syscall(56, 0x7E020000, 0, 0, 0, 0, 0)", "value",
       value=-1),
    _a("clone3", "return [libc.syscall(435, 0, 0, 0, 0, 0, 0), ctypes.get_errno()]", "value",
       value=[-1, 38]),
    _a("subprocess", "import subprocess\nsubprocess.run(['/opt/python/bin/python3.11'])", "raised"),
    _a("exec", "return outcome(lambda: os.execv(sys.executable, ['x']))", "value",
       value="PermissionError"),
    _a("threads without end", "import _thread\n_thread.stack_size(32768)\nn = 0\n"
       "lock = _thread.allocate_lock()\nlock.acquire()\ntry:\n    while n < 5000:\n"
       "        _thread.start_new_thread(lock.acquire, ())\n        n += 1\n"
       "except RuntimeError: pass\nreturn n < 100", "value", value=True),
    _a("busy threads", "def work():\n    while True: pass\nfor _ in range(20):\n"
       "    threading.Thread(target=work, daemon=True).start()\nreturn 1", "value", value=1),
]  # fmt: skip

FILES = [
    _a("fills /tmp", "def fill():\n    for i in range(100):\n"
       "        with open(f'/tmp/{i}', 'wb') as f: f.write(b'0' * 2**22)\n"
       "return outcome(fill)", "value", value="OSError"),
    _a("fills /dev/shm", "def fill():\n    for i in range(100):\n"
       "        with open(f'/dev/shm/{i}', 'wb') as f: f.write(b'0' * 2**22)\n"
       "return outcome(fill)", "value", value="OSError"),
    _a("one huge file", "def fill():\n    with open('/tmp/a', 'wb') as f: f.truncate(2**40)\n"
       "return outcome(fill)", "value", value="OSError"),
    _a("files without end", "def fill():\n    for i in range(10**6): open(f'/tmp/{i}', 'w').close()\n"
       "return outcome(fill)", "value", value="OSError"),
    _a("descriptors without end", "kept = []\ndef fill():\n"
       "    while True: kept.append(os.open('/dev/null', os.O_RDONLY))\nr = outcome(fill)\n"
       "[os.close(fd) for fd in kept]\nreturn [r, len(kept) < 100]", "value",
       value=["OSError", True]),
    _a("writes elsewhere", "import glob\nplaces = ['/', '/opt', '/opt/service/worker', '/opt/site',"
       " '/dev', '/sys', '/proc', '/lib64']\n"
       "return {outcome(lambda: open(p + '/x', 'w')) for p in places} <= "
       "{'OSError', 'PermissionError', 'FileNotFoundError'}", "value", value=True),
    _a("changes the worker's own code", "import worker.serve\n"
       "return outcome(lambda: os.chmod(worker.serve.__file__, 0o777))", "value", value="OSError"),
    _a("100 MB of output", "for _ in range(100):\n    os.write(1, b'x' * 2**20)\n"
       "    os.write(2, b'x' * 2**20)\nprint('x' * 2**20)\nreturn 1", "value", value=1),
    _a("reads input", "return input()", "raised"),
]  # fmt: skip

LOOKING = [
    _a("environment", "return sorted(k for k, v in os.environ.items() if k not in ('PWD', 'HOME', "
       "'USER', 'LANG') and not k.startswith(('PYTHON', 'OMP', 'MKL', 'TORCH', 'LD_', 'MALLOC')))",
       "value", value=[]),
    _a("files of this machine", "return [p for p in ('/home', '/root', '/etc', '/usr', '/var', '/work',"
       " '/run', '/boot', '/mnt', '/srv', '/bin') if os.path.exists(p)]", "value", value=[]),
    _a("imports", "names = ('grader', 'grader.checks', 'solutions', 'tests', 'transformers', 'pip',"
       " 'pytest', 'kit')\nreturn [n for n in names if outcome(lambda: __import__(n)) != "
       "'ModuleNotFoundError']", "value", value=[]),
    _a("process table", "return os.listdir('/proc')", "value", value=[]),
    _a("processes by number", "return [os.getpid(), os.getppid(), sum(outcome(lambda: os.kill(p, 0))"
       " == 'None' for p in range(2, 2000))]", "value", value=[1, 0, 0]),
    _a("other processes' memory", "return [libc.syscall(310, 2, 0, 0, 0, 0, 0), "
       "libc.syscall(101, 16, 2, 0, 0, 0, 0), outcome(lambda: open('/proc/2/mem', 'rb'))]",
       "value", value=[-1, -1, "FileNotFoundError"]),
    _a("callers and the heap", "words = ('expected', 'reference', 'misconception', 'cotangent')\n"
       "seen, f = set(), sys._getframe()\nwhile f:\n    seen |= set(f.f_locals) | set(f.f_globals)\n"
       "    f = f.f_back\nseen |= set(sys.modules)\n"
       "return sorted(n for n in seen if 'solution' in n or 'check' in n and 'grader' in n)",
       "value", value=[]),
    _a("network on loopback", "return outcome(lambda: socket.create_connection(('127.0.0.1', 22)))",
       "value", value="PermissionError"),
    _a("network abroad", "return outcome(lambda: socket.create_connection(('192.0.2.1', 80)))",
       "value", value="PermissionError"),
    _a("sockets of any kind", "return {outcome(lambda: socket.socket(f, k)) for f in range(1, 45)"
       " for k in (1, 2, 3, 5)} == {'PermissionError'}", "value", value=True),
    _a("names", "import getpass\nreturn [os.uname().nodename, getpass.getuser()]", "value",
       value=["worker", "learner"]),
]  # fmt: skip

ESCAPES = [
    _a("new namespaces", "return [libc.unshare(f) for f in (0x10000000, 0x20000, 0x20000000)]",
       "value", value=[-1, -1, -1]),
    _a("mounts", "return [libc.mount(b'x', b'/tmp', b'tmpfs', 0, 0), libc.umount2(b'/proc', 2), "
       "libc.umount2(b'/tmp', 2)]", "value", value=[-1, -1, -1]),
    _a("chroot", "return outcome(lambda: os.chroot('/tmp'))", "value", value="PermissionError"),
    _a("users", "return [outcome(lambda: os.setuid(0)), outcome(lambda: os.setgroups([0]))]",
       "value", value=["PermissionError"] * 2),
    _a("higher limits", "def g(): resource.setrlimit(resource.RLIMIT_AS, (-1, -1))\n"
       "return outcome(g)", "value", value="ValueError"),
    _a("rare system calls", "calls = (101, 155, 165, 169, 175, 246, 248, 249, 250, 272, 298, 303,"
       " 304, 308, 310, 311, 321, 323, 425, 426, 427, 428, 429, 430, 431, 432, 434, 438, 442)\n"
       "return [n for n in calls if libc.syscall(n, 0, 0, 0, 0, 0, 0) != -1]", "value", value=[]),
    _a("devices", "return outcome(lambda: os.mknod('/tmp/d', 0o600 | stat.S_IFBLK,"
       " os.makedev(254, 0)))", "value", value="PermissionError"),
    _a("undoing the filter", "return [libc.prctl(22, 0, 0, 0, 0), libc.prctl(38, 0, 0, 0, 0),"
       " libc.prctl(21, 0, 0, 0, 0)]", "value", value=[-1, -1, 2]),
]  # fmt: skip

FRAMES = [
    _a("junk on every descriptor", "for fd in range(3, 4096):\n"
       "    outcome(lambda: os.write(fd, b'{\"ok\": true}'))\nreturn 1", "protocol"),
    _a("closes every descriptor", "os.closerange(0, 4096)\nreturn 1", "crashed"),
    _a("closes the channel and lives on", "os.close(channel())\nwhile True: pass", "crashed"),
    _a("half closes the channel", "s = socket.socket(fileno=channel())\n"
       "s.shutdown(socket.SHUT_WR)\nwhile True: pass", "crashed"),
    _a("a truncated frame", "say(header(10, 0) + b'[')\nos._exit(0)", "crashed"),
    _a("another request's frame", "say(forged(7, os.urandom(16)))\nreturn 1", "protocol"),
    _a("two frames at once", "say(forged(7) + forged(8))\nreturn 1", "protocol"),
    _a("a frame before the true one", "say(forged(7))\nreturn 1", "value|protocol",
       next_ends="protocol"),
    _a("a frame and silence", "say(forged(7))\nos.close(channel())", "value|crashed",
       next_ends="crashed"),
    _a("an answer of no form", "t = b'{\"o\":{\"answer\":{\"o\":{\"ok\":{\"o\":{}}}}}}'\n"
       "say(header(len(t), 0) + t)\nreturn 1", "protocol"),
    _a("a full mark", "t = b'{\"o\":{\"passed\":true,\"points\":100}}'\n"
       "say(header(len(t), 0) + t)\nreturn 1", "protocol"),
    _a("a callback that was not given", "t = b'{\"o\":{\"callback\":1,\"args\":{\"t\":[]},"
       "\"kwargs\":{\"o\":{}}}}'\nsay(header(len(t), 0) + t)\nreturn 1", "protocol"),
    _a("deep JSON", "t = b'[' * 2**20\nsay(header(len(t), 0) + t)\nreturn 1", "protocol"),
    _a("wide JSON", "t = b'[' + b'[],' * 2**20 + b'0]'\nsay(header(len(t), 0) + t)\nreturn 1",
       "protocol"),
    _a("writes from a thread for ever", "n = nonce()\ndef work():\n"
       "    while True: outcome(lambda: say(forged(7, n)))\n"
       "threading.Thread(target=work, daemon=True).start()\ntime.sleep(1000)", "value|protocol",
       next_ends="protocol|timeout|crashed"),
    _a("passes a descriptor", "s = socket.socket(fileno=os.dup(channel()))\n"
       "return outcome(lambda: socket.send_fds(s, [b'x'], [0]))", "value|protocol"),
]  # fmt: skip

TRICKS = [
    _a("always equal", "class Yes:\n    __eq__ = lambda *a: True\n    __bool__ = lambda s: True\n"
       "    __getattr__ = lambda s, n: Yes()\n    __call__ = lambda s, *a, **k: Yes()\n"
       "return Yes()", "value"),
    _a("claims to be a tensor", "class C:\n    __class__ = property(lambda s: torch.Tensor)\n"
       "return C()", "value"),
    _a("a tensor subclass", "class T(torch.Tensor):\n    @classmethod\n"
       "    def __torch_function__(c, f, t, a=(), k=None): return True\n"
       "    def __eq__(self, other): return True\nreturn x.as_subclass(T)", "value"),
    _a("pickles to a command", "class R:\n"
       "    def __reduce__(self): return (os.system, ('touch /tmp/pwned',))\nreturn R()", "value"),
    _a("an array", "class A:\n    def __array__(self, *a): os._exit(1)\n"
       "    def __len__(self): os._exit(1)\n    def __iter__(self): os._exit(1)\nreturn A()",
       "value"),
    _a("hostile str, int, list and dict", "class S(str):\n    __getitem__ = __str__ = None\n"
       "class I(int):\n    __index__ = __int__ = None\nclass L(list):\n    __iter__ = None\n"
       "class D(dict):\n    items = keys = None\nreturn [S('a'), I(3), L([1]), D(a=1)]", "value",
       value=["a", 3, [1], {"a": 1}]),
    _a("a metaclass that lies", "class M(type):\n    __name__ = property(lambda s: 1 / 0)\n"
       "    def __instancecheck__(*a): 1 / 0\nclass C(metaclass=M): pass\nreturn C()", "value"),
    _a("replaces comparisons", "import builtins\ntorch.equal = torch.allclose = lambda *a, **k: True\n"
       "builtins.all = builtins.isinstance = lambda *a: True\nx += 1\nreturn x", "value|crashed",
       next_ends="value|crashed"),
    _a("replaces json, struct and os.write", "def no(*a, **k): raise SystemExit\n"
       "json.dumps = json.loads = struct.pack = struct.unpack = os.write = os.read = no\n"
       "json.JSONEncoder.encode = json.JSONDecoder.decode = no\n"
       "torch.frombuffer = torch.Tensor = no\nimport safetensors\nsafetensors.deserialize = no\n"
       "return 1", "value|crashed", next_ends="value|raised|exited|crashed"),
    _a("replaces builtins", "import builtins\nfor n in ('len', 'str', 'dict', 'type', 'bytes', "
       "'memoryview', 'isinstance', 'list', 'tuple', 'int', 'Exception', 'BaseException'):\n"
       "    setattr(builtins, n, None)\nreturn 1", "value|crashed", next_ends="value|crashed"),
    _a("clears the service's modules", "for n in list(sys.modules):\n    if n.startswith('worker'):\n"
       "        sys.modules[n].__dict__.clear()\nreturn 1", "crashed"),
    _a("traces", "sys.settrace(lambda *a: os._exit(3))\nsys.setprofile(lambda *a: os._exit(3))\n"
       "return 1", "crashed"),
    _a("a weak reference that exits late", "import weakref\nclass C: pass\nc = C()\n"
       "weakref.finalize(c, os._exit, 5)\nreturn 1", "crashed"),
    _a("async exceptions in the service", "i = threading.get_ident()\ndef work():\n"
       "    while True:\n        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(i),"
       " ctypes.py_object(KeyboardInterrupt))\n"
       "threading.Thread(target=work, daemon=True).start()\ntime.sleep(5)\nreturn 1",
       "value|raised|crashed|timeout", seconds=3.0, next_ends="value|raised|crashed|timeout"),
]  # fmt: skip

ATTACKS = [*ENDING, *TIME, *MEMORY, *PROCESSES, *FILES, *LOOKING, *ESCAPES, *FRAMES, *TRICKS]
