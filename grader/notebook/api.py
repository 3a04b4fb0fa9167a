"""Answers `check`, `hint` and `progress` in the notebook's own kernel; knows no check."""

import atexit
import contextlib
import gc
import os
import threading
import traceback
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..candidate.records import Mark, Verdict
from ..curriculum.complaint import Complaint
from ..curriculum.hints import reason, steps
from ..curriculum.syllabus import syllabus
from ..worker.namespace import running_shell
from .cards import Card, Next, Notice
from .checked import Unmarked
from .garbage import without_collecting
from .memory import Memory
from .naming import name_in_time, nothing_to_check
from .overview import Overview
from .passing import Earned, WholeChapter
from .progress_file import (
    Remembered,
    next_after,
    recall,
    recall_guesses,
    remember,
    remembered,
    standings,
    unread,
)
from .reading import is_ready_made, label
from .this_notebook import chapter, link_to
from .waiting import install

_memory = Memory()
_preparing: list[threading.Thread] = []
_at_work = threading.Lock()


class Interrupted(KeyboardInterrupt):
    """A check that its learner stopped; a notebook shows its one line and no traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def forget() -> None:
    """Forget all checks and hints, as a kernel that has just started."""
    global _memory
    _memory = Memory()


def prepare() -> None:
    """Load in the background what takes the first check a second; draws no random number.

    From now on cells that need an unsolved exercise wait for it, without a traceback.
    """
    if not _preparing:
        if (shell := running_shell()) is not None:
            install(shell)
        _preparing.append(threading.Thread(target=_load, name="prepare checks", daemon=True))
        _preparing[0].start()
        atexit.register(gc.freeze)  # what ends with the kernel need not be looked through


def _load() -> None:
    with without_collecting(), contextlib.suppress(ImportError):  # the check itself will say so
        from ..report import render  # noqa: F401
        from .in_process import get_ready

        get_ready()


def _wait_for_preparing() -> None:
    for thread in _preparing:
        thread.join()


_GPU_STOPPED = (
    "The GPU does nothing more for this kernel: code that ran on it went wrong, as where an index "
    "lies beyond its table. Restart the kernel, and run that code on the CPU: there the error "
    "names its line."
)


def check_exercise(given: tuple[Any, ...], names: Mapping[str, Any]) -> Card | Notice:
    """The card of one exercise, or a notice where this is none; `names` are the notebook's.

    Raises Interrupted, and nothing else.
    """
    if not _at_work.acquire(blocking=False):
        return Notice("Nothing was checked", ("Another check is at work: one after the other.",))
    called = ""
    try:
        if (own := getattr(type(given[0]), "course_check", None)) is not None:
            return Notice(*own(given[0]))  # it has puzzles of its own, and says what is solved
        name = name_in_time(given[0], names)
        refused = nothing_to_check(given, name)
        if refused is not None:
            return refused
        called = f" of {name}"
        return _check(str(name), given[0], names)
    except Unmarked as found:
        return found.notice
    except KeyboardInterrupt as error:
        message = f"The check{called} was interrupted{_place_of(error)}. Nothing was marked."
        raise Interrupted(message) from None
    except Complaint as error:
        return Notice("The check could not be made", (str(error),))
    except Exception as error:  # no object, however odd, shall end a notebook's run
        kind = type(error).__name__
        message = f"An error in the grader itself, {kind}, kept it from checking this."
        if kind == "AcceleratorError":
            message = _GPU_STOPPED
        return Notice(f"The check{called} could not be made", (message,))
    finally:
        _at_work.release()


def _check(name: str, exercise: Any, names: Mapping[str, Any]) -> Card | Notice:
    from .history import failed_definition

    failed = failed_definition(name, exercise, names)
    if failed is not None:
        return failed
    if names.get(name) is not exercise and is_ready_made(exercise):
        message = f"This {name} is none of yours: write your own, and give that to `check`."
        return Notice("Nothing was marked", (message,))
    _wait_for_preparing()
    from .in_process import check_in_kernel
    from .own_code import meant, saved_in

    checked = check_in_kernel(name, exercise, lent=_memory.lent())
    if checked.is_lent:
        message = (
            f"What works here is the reference's {name}, which is lent to you until you have your "
            f"own. Write {name} yourself, run its cell and check it again."
        )
        return Notice("Nothing was marked", (message,))
    mark = checked.mark
    _memory.checked[name] = remembered(mark, _known().get(name))
    if "PYTEST_VERSION" not in os.environ:  # what a test checks is nobody's progress
        with contextlib.suppress(OSError):
            remember(Path.cwd(), mark)
    has_passed = mark.verdict is Verdict.PASSED
    notes = (saved_in(name, exercise), meant(name, exercise, mark.verdict), checked.remark)
    remarks = tuple(note for note in notes if note)
    more, then = _memory.again(mark, checked.code), _next(mark)
    if more:
        then = replace(then, given=_memory.give_hint(name, len(then.hints)))
    printed = checked.printed, checked.lines_printed
    earned = _earned(mark, checked.ways) if has_passed else None
    return Card(mark, remarks, *printed, more, then, earned, checked.search)


def _next(mark: Mark) -> Next:
    """What to do after a check: think, go on, and how much of the chapter is left."""
    passed = _passed(_known())
    chapter = [each.name for each in syllabus().exercises if each.chapter == mark.chapter]
    done = len(passed.intersection(chapter))
    left = Next(current=mark.chapter[:2], done=done, of=len(chapter))
    if mark.verdict is not Verdict.PASSED:
        return replace(left, hints=steps(mark.name))
    after = next_after(mark.name, passed)
    if after is None:
        return left
    elsewhere = after.chapter[:2] if after.chapter != mark.chapter else ""
    link = ""
    with contextlib.suppress(OSError):
        link = link_to(after, Path.cwd())
    return replace(left, name=after.name, chapter=elsewhere, link=link)


def _known() -> dict[str, Remembered]:
    """What checks came to, in earlier sessions and in this one."""
    known: dict[str, Remembered] = {}
    with contextlib.suppress(OSError):
        known = recall(Path.cwd())
    return {**known, **_memory.checked}


def _passed(known: Mapping[str, Remembered]) -> set[str]:
    return {name for name, row in known.items() if row.verdict is Verdict.PASSED}


def _earned(mark: Mark, ways: tuple[tuple[str, str], ...]) -> Earned:
    """What a pass earns."""
    known = _known()
    passed = _passed(known)
    course = [(c, [e for e in syllabus().exercises if e.chapter == c]) for c in syllabus().chapters]
    whole = {name: passed.issuperset(each.name for each in inside) for name, inside in course}
    earned = Earned(known[mark.name].tries, reason(mark.name), ways)
    if not whole[mark.chapter]:
        return earned
    inside = dict(course)[mark.chapter]
    tries = [known[each.name].tries for each in inside]
    return replace(
        earned,
        whole=WholeChapter(
            mark.chapter[:2],
            syllabus().title(mark.chapter),
            tuple(each.name for each in inside),
            sum(each.points for each in inside),
            sum(tries) if all(tries) else 0,
            tuple((name[:2], is_whole) for name, is_whole in whole.items()),
        ),
    )


def _place_of(error: BaseException) -> str:
    """The learner's line at which it was interrupted."""
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if (cell := label(frame.f_code.co_filename)) is not None:
            place = f" at {cell}, line {line}"
    return place


def judge_handed_out(name: str, exercise: Any) -> str:
    """What keeps a learner's own exercise, with which a later chapter works, from its check.

    Empty where nothing does. For `kit.earlier`. Nobody waits for code that takes long.
    """
    from .in_process import check_in_kernel

    if not _at_work.acquire(blocking=False):
        return ""
    try:
        _wait_for_preparing()
        checked = check_in_kernel(name, exercise, seconds=2.0, explain=False, lent=_memory.lent())
    except Exception:  # no reason to keep it from its owner
        return ""
    finally:
        _at_work.release()
    mark = checked.mark
    if mark.verdict is Verdict.TIMEOUT:  # perhaps the machine has much else to do
        return ""
    verdict = "" if mark.verdict is Verdict.PASSED else str(mark.verdict)
    _memory.hand_out(name, verdict)
    if mark.carried:
        return f"passes its check with a right {' and '.join(mark.carried)} alone"
    return f"does not pass its check: {verdict}" if verdict else ""


def note_lent(name: str) -> None:
    """For `kit.earlier`: this exercise is the reference's in this kernel."""
    _memory.hand_out(name)


def next_hint(given: tuple[Any, ...], names: Mapping[str, Any]) -> Notice:
    """All hints given so far and the next one."""
    name = name_in_time(given[0], names)
    refused = nothing_to_check(given, name, "hint")
    if refused is not None:
        return refused
    name = str(name)
    found = steps(name)
    if not found:
        return Notice(f"{name} has no hints here", ("The notebook's own are below the exercise.",))
    given_now = _memory.give_hint(name, len(found))
    shown = tuple(f"{n}. {step}" for n, step in enumerate(found[:given_now], 1))
    left = len(found) - len(shown)
    last = f"`hint({name})` again gives the next of {len(found)}." if left else "That was the last."
    return Notice(f"Hints for {name}", (*shown, last))


def overview(folder: Path | None = None) -> Overview:
    """The state of each exercise: what checks came to, else what the saved notebooks hold."""
    try:
        here = folder or Path.cwd()
    except OSError:  # the folder was deleted
        here = Path("nowhere")
    with without_collecting():
        rows = standings(here, _memory.checked, _memory.handed_out)
    return Overview(rows, _open_chapter(), tuple(recall_guesses(here).values()), unread(here))


def _open_chapter() -> str:
    """The chapter of this notebook, else of the exercise that was checked here last."""
    last = next(reversed(_memory.checked), None)
    return chapter() or (syllabus()[last].chapter if last else "")
