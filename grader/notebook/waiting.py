"""Lets a cell that needs an unsolved exercise say so and show its goal, so that a notebook runs on.

A cell waits where the stub itself raises, or where an error comes of what a waiting cell has left
undone. Whatever else a cell raises, it raises as ever.
"""

import ast
import inspect
import sys
import textwrap
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import FrameType, FunctionType, ModuleType
from typing import Any

from ..curriculum.syllabus import syllabus
from ..submission import is_stub
from ..submission.parsing import parsed
from . import goal


@dataclass
class _Waiting:
    """What cells have left undone in this kernel."""

    cell: str = ""  # the one that runs now
    cell_id: str | None = None  # its id, where the frontend tells it
    undone: dict[str, tuple[str, str]] = field(default_factory=dict)  # name: exercise, cell
    reason: tuple[BaseException, str] | None = None  # why the cell that runs now waits

    def begin(self, info: Any) -> None:
        self.cell, self.reason = info.raw_cell, None
        self.cell_id = getattr(info, "cell_id", None)


_state = _Waiting()


def install(shell: Any) -> None:
    """Have cells of this kernel wait."""
    show = shell.showtraceback

    def showtraceback(exc_tuple: Any = None, *args: Any, **kwargs: Any) -> None:
        _, error, trace = exc_tuple or sys.exc_info()
        frames = [frame for frame, _ in traceback.walk_tb(trace)]
        if error is None or not _waits(shell, error, frames):
            show(exc_tuple, *args, **kwargs)

    shell.showtraceback = showtraceback
    shell.events.register("pre_run_cell", _state.begin)
    shell.events.register("post_run_cell", lambda result: _after(result, shell.user_ns))


def _waits(shell: Any, error: BaseException, frames: list[FrameType]) -> bool:
    """Say for which exercise the cell waits, if it does."""
    stub = _exercise(frames[-1]) if frames else None
    if not (isinstance(error, NotImplementedError) and stub and _is_stub(frames[-1].f_code)):
        stub = _undone(frames, shell.user_ns) if isinstance(error, Exception) else None
    if stub is None:
        return False
    _state.reason = (error, stub)
    print(f"⋯ This cell waits for {stub}, which is still to be written.")
    goal.show(stub, _state.cell, _state.cell_id)
    return True


def _undone(frames: list[FrameType], names: dict[str, Any]) -> str | None:
    """The exercise for which cells have left undone what this one names; not in its own code."""
    if any(map(_exercise, frames)):
        return None
    used = [*_names(_state.cell)]  # by the cell, and by what it calls in this notebook
    used += [n for frame in frames if frame.f_globals is names for n in frame.f_code.co_names]
    found = (_state.undone[name][0] for name in used if name in _state.undone)
    return next((name for name in found if _is_stub(names.get(name))), None)


def _after(result: Any, names: dict[str, Any]) -> None:
    """A cell that waited has ended well, so that those below it run."""
    if result is None:
        return
    cell, reason = _state.cell, _state.reason
    if reason is not None and result.error_in_exec is reason[0]:
        result.error_in_exec = None
        mine = (n for n in _names(cell) if not isinstance(names.get(n), _FIXED))
        _state.undone.update(dict.fromkeys(mine, (reason[1], cell)))
    elif result.success and _state.undone:
        bound = set(_names(cell, only_bound=True))
        left = {n: v for n, v in _state.undone.items() if n not in bound and v[1] != cell}
        _state.undone = left


_FIXED = (ModuleType, FunctionType, type)  # what a cell does not change by using it


def _exercise(frame: FrameType) -> str | None:
    """The exercise whose code runs in a frame."""
    name = frame.f_code.co_qualname.partition(".")[0]
    return name if name in syllabus().names else None


def _is_stub(thing: Any) -> bool:
    """Whether a function or its code was never begun, or a method of a class."""
    if isinstance(thing, type):
        return any(_is_stub(each) for each in vars(thing).values() if callable(each))
    try:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
    except (OSError, SyntaxError, TypeError, ValueError):
        return False
    return is_stub(definition)


def _names(cell: str, only_bound: bool = False) -> Iterable[str]:
    """The names that a cell uses or binds."""
    tree = parsed(cell)
    for node in ast.walk(tree) if tree else ():  # none of magics
        if isinstance(node, ast.Name) and (not only_bound or isinstance(node.ctx, ast.Store)):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
