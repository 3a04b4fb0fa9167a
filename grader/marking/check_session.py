"""Runs hidden checks with pytest, collected once, on candidate after candidate; knows no files.

Nothing of a learner's is ever collected, imported or configured from: the arguments, the root
folder and the plugins are fixed here, and variables that pytest reads are hidden from it.
"""

import os
import re
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from _pytest.config import get_config
from _pytest.runner import runtestprotocol

from ..candidate.candidate import Candidate, CandidateError, Redactor
from ..candidate.message import known, say
from ..candidate.records import CheckOutcome, CheckResult, Difference
from ..candidate.seeds import generator_for
from .detached_errors import without_frames

_CHECKS = Path(__file__).parents[1] / "checks"
_MODULES = "grader.checks.check_"
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


@dataclass
class _Current:
    """What the fixtures hand to the check that runs now."""

    exercise: str
    candidate: Candidate
    seed: int


class CheckSession:
    """One pytest session over `grader/checks`."""

    def __init__(self) -> None:
        with _COLLECTING:  # pytest's own modules and ours are there once for all threads
            try:
                self._collect()
            except BaseException:  # an interrupt too
                _forget()  # one that was loaded in part shall not do for the next try
                raise

    def _collect(self) -> None:
        plugin = _Plugin()
        arguments = [
            *(part for name in _UNUSED_PLUGINS.split() for part in ("-p", f"no:{name}")),
            *("-c", os.devnull, "--rootdir", str(_CHECKS), "--noconftest", "--assert=plain"),
            *("--import-mode=importlib", "--disable-plugin-autoload"),
            *("-o", "python_files=check_*.py", "-o", "python_functions=test_*", "--strict-markers"),
            str(_CHECKS),
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
        found = {(i.path.name, i.originalname) for i in session.items if hasattr(i, "originalname")}
        lost = _written() - found  # a missing check could pass wrong code, so stop here
        if plugin.broken or lost:
            why = "\n".join(plugin.broken) or str(sorted(lost))
            raise RuntimeError(f"checks could not be collected:\n{why}")
        self._plugin = plugin
        self._items: dict[str, list[pytest.Function]] = {}
        for item in session.items:
            if not isinstance(item, pytest.Function):
                raise RuntimeError(f"{item.nodeid} is no test function")
            marker = item.get_closest_marker("check")
            if marker is None:
                raise RuntimeError(f"{item.nodeid} is not marked with the exercise that it checks")
            self._items.setdefault(marker.kwargs["exercise"], []).append(item)
        for items in self._items.values():  # the essential ones first, else in order of writing
            items.sort(key=lambda item: not _option(item, "essential"))

    def harness(self, exercise: str) -> str:
        """Source that the checks of this exercise want beside the learner's code."""
        found = [_option(item, "harness") for item in self._items.get(exercise, ())]
        return "\n".join(dict.fromkeys(text for text in found if text))

    def titles(self, exercise: str) -> tuple[str, ...]:
        """The learner-facing titles of an exercise's checks, in the order in which they run."""
        return tuple(_title(item) for item in self._items.get(exercise, ()))

    def run(self, exercise: str, candidate: Candidate, seed: int) -> tuple[CheckRun, ...]:
        """All checks of one exercise on one candidate.

        When the candidate's process ends, the checks that are left come out as blocked. After an
        interrupt, which passes through, the session is of no use any more.
        """
        self._plugin.current = _Current(exercise, candidate, seed)
        items = self._items.get(exercise, [])
        runs: list[CheckRun] = []
        ended: BaseException | None = None
        for index, item in enumerate(items):
            if ended is not None:
                runs.append(_blocked(item))
                continue
            after = items[index + 1] if index + 1 < len(items) else None
            runtestprotocol(item, log=False, nextitem=after)
            error = self._plugin.take_error()
            if error is not None and _ends_all(error):
                item.session._setupstate.teardown_exact(None)  # `after` will not run
            runs.append(_run_of(item, error, candidate.redaction))
            if error is not None and _ends_all(error):
                ended = error
        self._plugin.current = None
        return tuple(runs)

    def passes(self, candidate: Candidate, seed: int, first: Collection[str]) -> bool:
        """Whether it passes all checks, those of these titles first; stops at what it fails."""
        self._plugin.current = _Current(candidate.exercise, candidate, seed)
        items = self._items.get(candidate.exercise, [])
        items = sorted(items, key=lambda item: _title(item) not in first)
        try:
            for item in items:
                runtestprotocol(item, log=False, nextitem=None)
                error = self._plugin.take_error()
                if error is not None and _ends_all(error):
                    raise error
                if error is not None:
                    return False
        finally:
            self._plugin.current = None
        return bool(items)


def _forget() -> None:
    """Have the files of the checks loaded anew."""
    for name in [each for each in sys.modules if each.startswith(_MODULES)]:
        del sys.modules[name]


def _written() -> set[tuple[str, str]]:
    """The files of all checks, and their names as they stand there."""
    written = set()
    for path in _CHECKS.glob("check_*.py"):
        text = path.read_text(encoding="utf-8")
        written |= {(path.name, name) for name in re.findall(r"^def (test_\w+)", text, re.M)}
    return written


class _Plugin:
    """The fixtures that checks ask for, and an ear for what ended each of them."""

    def __init__(self) -> None:
        self.current: _Current | None = None
        self.error: BaseException | None = None
        self.broken: list[str] = []

    def take_error(self) -> BaseException | None:
        """What ended the check, if anything did, without what its frames held; forgotten here."""
        error, self.error = self.error, None
        return without_frames(error)

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "check(exercise, weight, essential, harness): a check")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(str(report.longrepr))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        # pytest's own report formats a traceback, which takes longer than the check did.
        if call.excinfo is not None and self.error is None:
            self.error = call.excinfo.value
        outcome: Any = "passed" if call.excinfo is None else "failed"
        return pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords={},
            outcome=outcome,
            longrepr=None,
            when=call.when,  # type: ignore[arg-type]
        )

    @pytest.fixture
    def candidate(self) -> Candidate:
        """The learner's exercise."""
        return self._now().candidate

    @pytest.fixture
    def generator(self, request: pytest.FixtureRequest) -> torch.Generator:
        """Random numbers that depend on the run's seed and on this check alone."""
        now = self._now()
        return generator_for(now.seed, now.exercise, request.node.name)

    @pytest.fixture
    def seed(self) -> int:
        """The run's seed."""
        return self._now().seed

    @pytest.fixture
    def reference(self) -> Any:
        """The solution of the same exercise."""
        from ..course.references import reference

        return reference(self._now().exercise)

    def _now(self) -> _Current:
        if self.current is None:
            raise RuntimeError("no candidate is being checked")
        return self.current


def _run_of(
    item: pytest.Function, error: BaseException | None, redaction: Redactor | None
) -> CheckRun:
    essential = bool(_option(item, "essential"))
    weight = int(_option(item, "weight") or 1)
    differences: tuple[Difference, ...] = ()
    picture = None
    message = known("")
    if error is None:
        outcome = CheckOutcome.PASSED
    elif isinstance(error, AssertionError):
        waits = getattr(error, "waits", False)
        outcome = CheckOutcome.BLOCKED if waits else CheckOutcome.FAILED
        message = getattr(error, "message", None) or say("{}", str(error))
        differences = tuple(getattr(error, "differences", ()))
        picture = getattr(error, "picture", None)
    elif isinstance(error, CandidateError):
        outcome = CheckOutcome.ERROR
        message = error.problem.summary()
    elif _ends_all(error):
        outcome = CheckOutcome.ERROR
        detail = str(getattr(error, "detail", error))
        message = known(f"{detail[:1].upper()}{detail[1:]}.")
    else:  # the answer was such that the check itself tripped over it
        outcome = CheckOutcome.ERROR
        name = known(type(error).__name__)
        message = say("What came back could not be checked ({}: {}).", name, str(error))
    result = CheckResult(_title(item), outcome, message, weight, differences, picture)
    if redaction is not None:
        result = redaction.result(result)
    return CheckRun(item.nodeid, result, essential, error)


def _blocked(item: pytest.Function) -> CheckRun:
    message = known("Not run: the code had ended before.")
    weight = int(_option(item, "weight") or 1)
    result = CheckResult(_title(item), CheckOutcome.BLOCKED, message, weight)
    return CheckRun(item.nodeid, result, bool(_option(item, "essential")))


def _ends_all(error: BaseException) -> bool:
    from ..wall.transport import WorkerDied
    from ..wall.zygote_client import ZygoteDied

    return isinstance(error, WorkerDied | ZygoteDied) or not isinstance(error, Exception)


def _option(item: pytest.Item, name: str) -> Any:
    marker = item.get_closest_marker("check")
    return None if marker is None else marker.kwargs.get(name)


def _title(item: pytest.Function) -> str:
    return " ".join((item.obj.__doc__ or item.name).split())


@contextmanager
def _without_pytest_variables() -> Iterator[None]:
    kept = {name: os.environ.pop(name) for name in _HIDDEN if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)
