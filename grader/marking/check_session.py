"""Runs hidden checks with pytest, collected once, on candidate after candidate; knows no notebook.

Nothing of a learner's is ever collected, imported or configured from: the arguments, the root
folder and the plugins are fixed here, and variables that pytest reads are hidden from it.
"""

import os
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any, TypeGuard

import pytest
import torch
from _pytest.config import get_config

from ..candidate.candidate import Candidate
from ..candidate.failures import CandidateError
from ..candidate.message import known, say
from ..candidate.records import CheckOutcome, CheckResult, Difference
from ..candidate.seeds import generator_for
from ..curriculum import references
from ..curriculum.course import course
from ..wall.transport import WorkerDied
from ..wall.zygote_client import ZygoteDied
from .check import written
from .detached_errors import without_frames
from .endings import ending

_UNUSED_PLUGINS = (
    "cacheprovider capture doctest faulthandler junitxml logging nose pastebin recwarn setuponly "
    "setupplan stepwise terminal terminalreporter threadexception tmpdir unraisableexception "
    "warnings"
)
_COLLECTING = threading.Lock()
_HIDDEN = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DEBUG")


@dataclass(frozen=True)
class CheckRun:
    """What one check did; `error` is what ended it, where something did."""

    check: str  # its name, the same in every run
    result: CheckResult
    essential: bool
    error: BaseException | None = None

    @property
    def passed(self) -> bool:
        """Whether the check passed."""
        return self.result.outcome is CheckOutcome.PASSED


@dataclass(frozen=True)
class _Check:
    """A check as it was collected and marked."""

    item: pytest.Function
    exercise: str
    weight: int
    essential: bool
    harness: str | None

    @property
    def title(self) -> str:
        return " ".join((self.item.obj.__doc__ or self.item.name).split())


class CheckSession:
    """One pytest session over the checks of the course."""

    def __init__(self) -> None:
        with _COLLECTING:  # pytest's own modules and ours are there once for all threads
            try:
                self._collect()
            except BaseException:  # an interrupt too
                # What was loaded in part shall not do for the next try.
                own = f"{course().package}.checks.check_"
                for name in [each for each in sys.modules if each.startswith(own)]:
                    del sys.modules[name]
                raise

    def _collect(self) -> None:
        plugin = _Plugin()
        folder = str(course().checks)
        arguments = [
            *(part for name in _UNUSED_PLUGINS.split() for part in ("-p", f"no:{name}")),
            *("-c", os.devnull, "--rootdir", folder, "--noconftest", "--assert=plain"),
            *("--import-mode=importlib", "--disable-plugin-autoload"),
            *("-o", "python_files=check_*.py", "-o", "python_functions=test_*", "--strict-markers"),
            folder,
        ]
        with _without_pytest_variables():
            config = get_config(arguments, [plugin])
            config.pluginmanager.register(plugin)
            config = config.pluginmanager.hook.pytest_cmdline_parse(
                pluginmanager=config.pluginmanager, args=arguments
            )
            config._do_configure()
            session = pytest.Session.from_config(config)
            config.hook.pytest_sessionstart(session=session)
            config.hook.pytest_collection(session=session)
        if why := plugin.broken or plugin.lost(session.items):
            raise RuntimeError("\n".join(("checks could not be collected:", *why)))
        self._plugin = plugin
        self._checks: dict[str, list[_Check]] = defaultdict(list)
        for item in session.items:
            marker = item.get_closest_marker("check")
            if marker is None or not isinstance(item, pytest.Function):
                raise RuntimeError(f"{item.nodeid} is no function marked with what it checks")
            check = _Check(item, **marker.kwargs)
            self._checks[check.exercise].append(check)
        for checks in self._checks.values():  # the essential ones first, else in order of writing
            checks.sort(key=lambda check: not check.essential)

    def harness(self, exercise: str) -> str:
        """Source that the checks of this exercise want beside the learner's code."""
        found = (check.harness for check in self._checks[exercise])
        return "\n".join(dict.fromkeys(text for text in found if text))

    def titles(self, exercise: str) -> tuple[str, ...]:
        """The learner-facing titles of an exercise's checks, in the order in which they run."""
        return tuple(check.title for check in self._checks[exercise])

    def names(self, exercise: str) -> tuple[str, ...]:
        """The names of an exercise's checks as they are written, in the same order."""
        return tuple(check.item.originalname for check in self._checks[exercise])

    def run(self, exercise: str, candidate: Candidate, seed: int) -> tuple[CheckRun, ...]:
        """All checks of one exercise on one candidate; then what they have left to ask.

        When the candidate's process ends, the checks that are left come out as blocked. After an
        interrupt, which passes through, the session is of no use any more.
        """
        self._plugin.current = candidate, seed
        checks = self._checks[exercise]
        runs: list[CheckRun] = []
        left: list[tuple[int, Callable[[], None]]] = []
        has_ended = False
        for check, after in zip_longest(checks, checks[1:]):
            if has_ended:
                runs.append(_blocked(check))
                continue
            error = _ended_by(check.item, after.item if after else None)
            has_ended = _ends_all(error)
            if has_ended:
                check.item.session._setupstate.teardown_exact(None)  # `after` will not run
            left += [(len(runs), ask) for ask in candidate.left_to_ask() if error is None]
            runs.append(_run_of(check, error))
        self._plugin.current = None
        has_ended = False
        for at, ask in left:
            error = None if has_ended else _raised_by(ask)
            runs[at] = _blocked(checks[at]) if has_ended else _run_of(checks[at], error)
            has_ended |= _ends_all(error)
        return tuple(runs)

    def passes(self, candidate: Candidate, seed: int, first: Collection[str]) -> bool:
        """Whether it passes all checks, those of these titles first; stops at what it fails."""
        self._plugin.current = candidate, seed
        checks = sorted(self._checks[candidate.exercise], key=lambda it: it.title not in first)
        try:
            for check in checks:
                error = _ended_by(check.item, None)
                left = candidate.left_to_ask()
                while error is None and left:
                    error = _raised_by(left.pop(0))
                if _ends_all(error):
                    raise error
                if error is not None:
                    return False
        finally:
            self._plugin.current = None
        return bool(checks)


class _Plugin:
    """The fixtures that checks ask for, and what keeps files of checks from being collected."""

    def __init__(self) -> None:
        self.current: tuple[Candidate, int] | None = None  # with the run's seed
        self.broken: list[str] = []
        self._files: list[pytest.Module] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "check(exercise, weight, essential, harness): a check")

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        if isinstance(collector, pytest.Module):
            self._files.append(collector)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(str(report.longrepr))

    def lost(self, items: list[pytest.Item]) -> list[str]:
        """What is written and was not found, or twice: without it wrong code could pass."""
        found = {(each.path.name, getattr(each, "originalname", "")) for each in items}
        names = Counter(written(course().checks, {file.path: file.obj for file in self._files}))
        lost = sorted(name for name, times in names.items() if times > 1 or name not in found)
        return [str(lost)] if lost else []

    @pytest.fixture
    def candidate(self) -> Candidate:
        """The learner's exercise."""
        assert self.current is not None
        return self.current[0]

    @pytest.fixture
    def seed(self) -> int:
        """The run's seed."""
        assert self.current is not None
        return self.current[1]

    @pytest.fixture
    def generator(
        self, request: pytest.FixtureRequest, candidate: Candidate, seed: int
    ) -> torch.Generator:
        """Random numbers that depend on the run's seed and on this check alone."""
        return generator_for(seed, candidate.exercise, request.node.name)

    @pytest.fixture
    def reference(self, candidate: Candidate) -> Any:
        """The solution of the same exercise."""
        return references.reference(candidate.exercise)


def _ended_by(item: pytest.Function, after: pytest.Function | None) -> BaseException | None:
    """Run a check as pytest does; what ended it, if anything did.

    Without pytest's hooks and reports, which take a sixth of the time of a check.
    """
    state = item.session._setupstate
    item._initrequest()
    error = _raised_by(partial(state.setup, item), item.runtest)
    after_it = _raised_by(partial(state.teardown_exact, after))
    item._request = item.funcargs = None  # type: ignore[assignment]
    return error or after_it


def _raised_by(*steps: Callable[[], None]) -> BaseException | None:
    """What ends these steps, if anything does, without what its frames held."""
    try:
        for step in steps:
            step()
    except (KeyboardInterrupt, pytest.exit.Exception):
        raise
    except BaseException as error:
        return without_frames(error)
    return None


def _blocked(check: _Check) -> CheckRun:
    message = known("Not run: the code had ended before.")
    result = CheckResult(check.title, CheckOutcome.BLOCKED, message, check.weight)
    return CheckRun(check.item.nodeid, result, check.essential)


def _run_of(check: _Check, error: BaseException | None) -> CheckRun:
    differences: tuple[Difference, ...] = ()
    picture = None
    outcome, message = CheckOutcome.ERROR, known("")
    if error is None:
        outcome = CheckOutcome.PASSED
    elif isinstance(error, AssertionError):
        waits = getattr(error, "waits", False)
        outcome = CheckOutcome.BLOCKED if waits else CheckOutcome.FAILED
        message = getattr(error, "message", None) or say("{}", str(error))
        differences = tuple(getattr(error, "differences", ()))
        picture = getattr(error, "picture", None)
    elif isinstance(error, CandidateError):
        message = error.problem.summary()
    elif isinstance(error, WorkerDied):
        message = say("{}{}{}.", *ending(error, begins=True))
    elif _ends_all(error):
        message = say("It ended: {}.", str(error))
    else:  # the answer was such that the check itself tripped over it
        name = type(error).__name__
        message = say("What came back could not be checked ({}: {}).", name, str(error))
    result = CheckResult(check.title, outcome, message, check.weight, differences, picture)
    return CheckRun(check.item.nodeid, result, check.essential, error)


def _ends_all(error: BaseException | None) -> TypeGuard[BaseException]:
    return isinstance(error, WorkerDied | ZygoteDied) or not isinstance(error, Exception | None)


@contextmanager
def _without_pytest_variables() -> Iterator[None]:
    kept = {name: os.environ.pop(name) for name in _HIDDEN if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)
