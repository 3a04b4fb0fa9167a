"""Runs all cells of a notebook in order, as a kernel would have; knows no check.

A statement that fails, or takes too long, is left, and the next one runs.
"""

import ast
import builtins
import contextlib
import importlib
import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from .inert import Inert
from .namespace import Absent, Namespace

# Cell magics that run their body as Python in the notebook's own kernel.
# %%timeit is not among them: names in its cell are its own.
PYTHON_CELL_MAGICS = frozenset(
    ["capture", "debug", "ipytest", "memit", "mprun", "notify", "prun", "time", "wandb"]
)
_AGAIN = 0.02  # seconds after which code that has swallowed StatementOutOfTime hears it again
_LEAST = 0.05  # seconds that every statement may take, however much time the others took
_WALL = 4.0  # seconds by the clock for each second of the processor: a cell may wait


_sleep = time.sleep


def _pause(seconds: Any) -> None:
    """A cell that waits, waits for nothing here; a thread beside it must not spin."""
    if threading.current_thread() is not threading.main_thread():
        _sleep(seconds)


class StatementOutOfTime(BaseException):
    """A statement has had its time; no Exception, so that learners rarely swallow it."""


class Cells:
    """One run of one notebook, with the learner's files beside it.

    `earlier` holds units of code for `kit.earlier`, by exercise. An exercise of `replaced` counts
    as what these units make it, whatever the notebook makes it.
    """

    def __init__(
        self,
        names: Namespace,
        exercises: Sequence[str],
        earlier: Mapping[str, Sequence[Mapping[str, Any]]],
        replaced: Sequence[str],
        seconds: Mapping[str, float],
    ) -> None:
        self.failed: list[tuple[str, BaseException]] = []  # with the code of the cell
        self._names = names
        self._exercises = exercises
        self._earlier = earlier
        self._replaced = frozenset(replaced)
        self._seconds = seconds
        self._left = seconds["all"]
        self._lent: dict[str, Any] = {}
        self._own: dict[str, Any] = {}  # the learner's last definition of each exercise
        self._code = ""

    def run(self, cells: Sequence[Mapping[str, Any]], files: Mapping[str, str], home: str) -> None:
        """Run the cells with `home`, a folder among the files, as working directory."""
        self._be_main()
        self._lay_out(files, home)
        for name in self._replaced:
            self._names.module.__dict__[name] = self._lend(name)
        for cell in cells:
            self._code = str(cell["code"])
            try:
                self._names.execute(self._code, str(cell["label"]), 1, self._tolerant)
            except SystemExit as error:
                self.failed.append((self._code, error))
                if cell["ends"]:  # a script, which ends here
                    break
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                self.failed.append((self._code, error))  # the cell is no Python
        for name, value in self._own.items():
            if not self._is_own(self._names.module.__dict__.get(name)):
                self._names.module.__dict__[name] = value  # a ready-made one was imported after it

    def _be_main(self) -> None:
        module = self._names.module
        module.__name__ = "__main__"
        sys.modules["__main__"] = module
        earlier = _Earlier("kit.earlier")
        earlier.find = self._lend
        sys.modules["kit.earlier"] = earlier
        with contextlib.suppress(ImportError):
            vars(importlib.import_module("kit"))["earlier"] = earlier
        shell = _Shell(self._names)
        builtins.get_ipython = lambda: shell  # type: ignore[attr-defined]
        time.sleep = _pause

    def _lay_out(self, files: Mapping[str, str], home: str) -> None:
        """The learner's files on disk, importable from the notebook's folder and by its package."""
        root = Path(tempfile.mkdtemp())
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="replace")
            self._names.add_file(str(path), name)
        folder = root / home
        folder.mkdir(parents=True, exist_ok=True)
        os.chdir(folder)
        above = folder.parent if home else folder
        while above != root and (above / "__init__.py").is_file():
            above = above.parent
        self._names.module.__package__ = ".".join(folder.relative_to(above).parts)
        sys.path.insert(0, str(folder))
        sys.path.append(str(above))

    @contextmanager
    def _tolerant(self, statement: ast.stmt) -> Iterator[None]:
        """Run one statement within its time, and keep what it raises."""
        is_import = isinstance(statement, ast.Import | ast.ImportFrom)
        most = self._seconds["import"]
        if not is_import:
            most = max(_LEAST, min(self._seconds["statement"], self._left))
        began = time.process_time()
        try:
            with _bounded(most):
                yield
        except SystemExit:
            raise
        except BaseException as error:
            self.failed.append((self._code, error))
        finally:
            if not is_import:
                self._left -= time.process_time() - began
        self._look()

    def _look(self) -> None:
        """Note which exercises are the learner's own by now."""
        names = self._names.module.__dict__
        for name in self._exercises:
            value = names.get(name)
            if value is self._own.get(name) or not self._is_own(value):
                continue
            if name in self._replaced:
                self._names.module.__dict__[name] = self._lend(name)
            else:
                self._own[name] = value

    def _is_own(self, value: Any) -> bool:
        """Whether it was made by this notebook or the files beside it, and not ready-made."""
        if value is None or isinstance(value, Inert | Absent | ModuleType):
            return False
        if isinstance(value, BuiltinFunctionType):
            return False
        if isinstance(value, type | FunctionType):
            module = sys.modules.get(str(value.__module__))
            file = getattr(module, "__file__", None)
            return module is self._names.module or self._names.label_of(str(file)) is not None
        return True

    def _lend(self, name: str) -> Any:
        """What `kit.earlier` gives: this notebook's own, another notebook's, or a reference."""
        if name in self._own and name not in self._replaced:
            return self._own[name]
        if name not in self._earlier:
            raise AttributeError(f"kit.earlier has no {name!r} here")
        if name not in self._lent:
            apart = Namespace()
            for unit in self._earlier[name]:
                apart.execute(str(unit["code"]), str(unit["label"]), int(unit["line"]))
            self._names.share(apart)
            self._lent[name] = apart.module.__dict__[name]
        return self._lent[name]


class _Earlier(ModuleType):
    """The module `kit.earlier`, every exercise of which is an attribute."""

    find: Callable[[str], Any]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self.find(name)
        except AttributeError as error:
            code = sys._getframe(1).f_code
            if code.co_filename.startswith("<") or code.co_exceptiontable:
                raise
            # A file of the learner's goes on without what is not there, as a cell does.
            return Absent(name, str(error))


class _Shell(Inert):
    """What `get_ipython()` gives: what defines something works, all else is inert."""

    def __init__(self, names: Namespace) -> None:
        super().__init__("get_ipython")
        self._names = names

    def run_line_magic(self, magic: str, line: str, *_: Any) -> Any:
        """`%run name.py` and `%time statement`."""
        words = [word.strip("'\"") for word in line.split() if not word.startswith("-")]
        if magic == "run" and words:
            path = Path(words[0]).resolve()
            path = path if path.suffix else path.with_suffix(".py")
            self._names.add_file(str(path), words[0])
            code = path.read_text(encoding="utf-8")
            if path.suffix == ".ipynb":
                code = "\n".join("".join(cell["source"]) for cell in json.loads(code)["cells"])
            self._run(code, str(path))
        elif magic in PYTHON_CELL_MAGICS:
            self._run(line, f"<{magic}>")
        return Inert(magic)

    def run_cell_magic(self, magic: str, line: str, cell: str) -> Any:
        """`%%writefile name.py`, and magics that run the cell."""
        words = line.split()
        if magic in ("writefile", "file") and words:
            path = Path(words[-1].strip("'\""))
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a" if "-a" in words else "w", encoding="utf-8") as file:
                file.write(cell)
            self._names.add_file(str(path.resolve()), str(path))
        elif magic in PYTHON_CELL_MAGICS:
            self._run(cell, f"<{magic}>")
        return Inert(magic)

    @property
    def user_ns(self) -> dict[str, Any]:
        """The names of the notebook."""
        return self._names.module.__dict__

    def push(self, names: Mapping[str, Any], *_: Any) -> None:
        """Bind them in the notebook."""
        self.user_ns.update(names)

    def run_cell(self, code: str, *_: Any, **__: Any) -> None:
        """Run it as a cell."""
        self._run(code, "<run_cell>")

    def _run(self, code: str, file: str) -> None:
        exec(compile(code, file, "exec", dont_inherit=True), self.user_ns)


@contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """Raise StatementOutOfTime inside after so many seconds of the processor, again and again."""

    armed = [True]

    def stop(*_: Any) -> None:
        if armed:
            raise StatementOutOfTime(f"it was left after {seconds:g} seconds")

    timers = (
        (signal.ITIMER_PROF, signal.SIGPROF, seconds),
        (signal.ITIMER_REAL, signal.SIGALRM, seconds * _WALL),
    )
    try:
        for timer, number, most in timers:
            signal.signal(number, stop)
            signal.setitimer(timer, most, _AGAIN)
        yield
    finally:
        while armed:
            with contextlib.suppress(StatementOutOfTime):  # it may come in this very moment
                armed.clear()
        for timer, number, _ in timers:
            signal.setitimer(timer, 0)
            signal.signal(number, signal.SIG_IGN)
