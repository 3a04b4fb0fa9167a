"""Executes a learner's units of code in one fresh module; must not know what the code is for."""

from __future__ import annotations
import __future__

import ast
import io
import itertools
import linecache
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

Around = Callable[[ast.stmt], AbstractContextManager[Any]]

_numbers = itertools.count(1)
MAX_LINE = 1_000_000
_PACKAGES = "code is marked with PyTorch, NumPy, einops and Python's standard library alone"
_OURS = str(Path(__file__).parents[1])  # what lies there is the grader's


class Namespace:
    """A module holding what the units define, and the labels of the cells they come from."""

    def __init__(self) -> None:
        self.module = ModuleType(f"submission_{next(_numbers)}")
        self._labels: dict[str, str] = {}
        self._lines: dict[str, list[str]] = {}
        self._flags = 0
        # dataclasses, typing and torch.jit look a function's module up by name.
        sys.modules[self.module.__name__] = self.module
        self.module.__file__ = f"<{self.module.__name__}>"

    def execute(
        self, code: str, label: str, line: int, around: Around = lambda _: nullcontext()
    ) -> None:
        """Run one unit, whose first line is `line` in the cell that `label` names.

        Each of its statements runs inside of what `around` makes for it.
        """
        line = min(max(line, 1), MAX_LINE)
        file = f"<{label}>"
        self._labels[file] = label
        self._remember(file, code, line)
        tree = ast.parse(code, file) if line == 1 else _parse_at(code, file, line)
        for statement in _one_import_each(tree.body):
            with around(statement):
                self._run(statement, file)

    def add_file(self, path: str, label: str) -> None:
        """Know a file of the learner's own, from which code may be imported, by its label."""
        self._labels[path] = label

    def share(self, other: Namespace) -> None:
        """Know the other namespace's files as well."""
        self._labels.update(other._labels)

    def execute_harness(self, code: str) -> None:
        """Run trusted helper code in the same module; its frames are not the learner's."""
        exec(compile(code, "<harness>", "exec", dont_inherit=True), self.module.__dict__)

    def discard(self) -> None:
        """Forget the module and its source."""
        sys.modules.pop(self.module.__name__, None)
        for file in (*self._labels, self.module.__file__):
            linecache.cache.pop(str(file), None)

    def label_of(self, file: str) -> str | None:
        """The learner's name for a code object's file; None when the code is not the learner's."""
        return self._labels.get(file)

    def _run(self, statement: ast.stmt, file: str) -> None:
        """Execute one statement; an import that fails binds placeholders instead."""
        names = self.module.__dict__
        piece = ast.Module([statement], [])
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            # As in a notebook, it holds for every later cell too.
            compile(piece, file, "exec", dont_inherit=True)  # refuses names that there are not
            for alias in statement.names:
                self._flags |= getattr(__future__, alias.name).compiler_flag
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            try:
                exec(compile(piece, file, "exec", self._flags, dont_inherit=True), names)
            except Exception as error:  # a broken package raises anything
                reason = str(error)[:500].partition(" (/")[0]
                if isinstance(error, ModuleNotFoundError):
                    reason += f"; {_PACKAGES}"
                for alias in statement.names:
                    bound = alias.asname or alias.name.partition(".")[0]
                    if bound != "*" and (alias.asname or bound not in names):
                        # Without the path of the package that lacks the name.
                        names[bound] = Absent(bound, reason)
        else:
            flags = self._flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # as in a notebook
            waiting = eval(compile(piece, file, "exec", flags, dont_inherit=True), names)
            if waiting is not None:
                from .awaiting import wait_for  # hardly any cell does

                wait_for(waiting)

    def _remember(self, file: str, code: str, line: int) -> None:
        """Let tracebacks, inspect.getsource and torch.jit.script find the source."""
        lines = self._lines.setdefault(file, [])
        # As Python counts them: a form feed within a text ends none.
        new = io.StringIO(code if code.endswith("\n") else code + "\n", newline=None).readlines()
        lines.extend(["\n"] * (line - 1 + len(new) - len(lines)))
        lines[line - 1 : line - 1 + len(new)] = new
        linecache.cache[file] = (len(code), None, lines, file)
        # A class is looked for in its module's file: all units, one after the other.
        whole = [text for cell in self._lines.values() for text in cell]
        linecache.cache[str(self.module.__file__)] = (len(whole), None, whole, file)


class Bound:
    """Stands in for a Namespace where the objects are the notebook kernel's own."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.module = ModuleType("__main__")
        self.module.__dict__.update(names)

    def discard(self) -> None:
        """Nothing was registered anywhere."""

    @staticmethod
    def label_of(file: str) -> str | None:
        """A notebook's cell, or a file that is neither installed nor the grader's."""
        cell = cell_number(file)
        if cell is not None:
            return f"In [{cell}]"
        if ".ipynb, cell " in file:  # of a saved notebook, as a Namespace calls it
            return file.strip("<>")
        if file.startswith("<") or not file.endswith(".py"):
            return None
        if file.startswith((sys.prefix, sys.base_prefix, _OURS)) or "site-packages" in file:
            return None
        return file.replace("\\", "/").rpartition("/")[2]


def running_shell() -> Any:
    """The IPython that runs in this process; None where there is none."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def is_in_kernel() -> bool:
    """Whether what is shown here is shown in a notebook, where it may be shown anew."""
    return hasattr(running_shell(), "kernel")


def cell_number(file: str) -> int | None:
    """The number of the input whose code has this file name, in IPython."""
    numbers: dict[str, int] = getattr(
        getattr(running_shell(), "compile", None), "_filename_map", {}
    )
    return numbers.get(file)


class Absent:
    """Bound in place of what is not installed: harmless in annotations, an ImportError in use."""

    def __init__(self, name: str, reason: str) -> None:
        self.__name__ = name
        self._reason = reason

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise ImportError(f"{self.__name__} cannot be used here: {self._reason}")

    def __getattr__(self, name: str) -> Absent:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{self.__name__}.{name}", self._reason)

    def __getitem__(self, _: Any) -> Absent:
        return self

    def __or__(self, _: Any) -> Absent:
        return self

    __ror__ = __or__

    def __instancecheck__(self, _: Any) -> bool:
        return False  # nothing can be of a type that is not installed

    __call__ = __mro_entries__ = __iter__ = __bool__ = __enter__ = _refuse


def _parse_at(code: str, file: str, line: int) -> ast.Module:
    """Parse, with line numbers, those of a SyntaxError too, counted from `line`."""
    try:
        tree = ast.parse(code, file)
    except SyntaxError as error:
        error.lineno = (error.lineno or 1) + line - 1
        raise
    return ast.increment_lineno(tree, line - 1)


def _one_import_each(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Each imported name by itself, so that one missing name hides no other."""
    for statement in statements:
        parts: list[ast.stmt] = [statement]
        if isinstance(statement, ast.Import):
            parts = [ast.Import([alias]) for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            module, level = statement.module, statement.level
            parts = [ast.ImportFrom(module, [alias], level) for alias in statement.names]
        yield from (ast.copy_location(part, statement) for part in parts)
