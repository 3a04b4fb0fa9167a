"""What of a mark is told in full, what is folded, in which order; knows no surface."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace

from ..candidate.message import key_of, message_of
from ..candidate.records import CheckOutcome, CheckResult, Location, Mark, Verdict
from ..curriculum.syllabus import judges_others
from . import wording

_WRONG = (CheckOutcome.FAILED, CheckOutcome.ERROR)
_RAISED = (Verdict.ERROR, Verdict.CRASHED)
_NO_READING = key_of("no reading")  # of a module; a known mistake says more


@dataclass(frozen=True)
class Story:
    """A mark in the order in which a learner should read it."""

    said: tuple[tuple[str, str], ...]  # label, sentence; the label may be empty
    where: Location | None  # the line to look at
    leading: tuple[CheckResult, ...]  # told in full: what shows the one main fault
    asked: tuple[tuple[str, str], ...]  # label, question
    details: tuple[str, ...]  # what only some want to know: an exception's own words
    follows: str  # of the others that failed: whether they show anything else, and what to do
    failed: tuple[CheckResult, ...]  # these
    waiting: tuple[CheckResult, ...]  # not run, or nothing to say before the others hold
    passed: tuple[CheckResult, ...]


def story(mark: Mark) -> Story:
    """The most telling first, nothing twice."""
    said, asked, details = _said(mark)
    if mark.verdict in wording.WITHOUT_CHECKS:
        return Story(tuple(said), mark.location, (), tuple(asked), details, "", (), (), ())
    if _was_ended(mark):
        mark = replace(mark, checks=tuple(map(_not_tried, mark.checks)))
    wrong = [check for check in mark.checks if check.outcome in _WRONG]
    told = {message_of(mark.message).key, *(key_of(one.id) for one in mark.diagnosis)}
    if mark.diagnosis:
        told.add(_NO_READING)
    fresh: dict[str, CheckResult] = {}
    for check in wrong:
        key = message_of(check.message).key
        if check.picture or (key and key not in told):
            fresh.setdefault(key, check)
    leading = list(fresh.values())[:1]
    if judges_others(mark.name) and mark.verdict is Verdict.PARTIAL:
        leading = wrong  # each is a mistake of its own
    if not leading and mark.verdict not in _RAISED:  # its title says more, an error's not
        leading = wrong[:1]
    others = [check for check in wrong if not any(check is one for one in leading)]
    known = told | {message_of(check.message).key for check in leading}
    failed = tuple(_without_repetition(check, known) for check in others)
    is_same = all(old.message and not new.message for old, new in zip(others, failed, strict=True))
    shown = list(_each_message_once(leading, told))
    if not said and shown and shown[0].message:  # nothing says more
        said = [("", shown[0].message)]
        shown[0] = replace(shown[0], message="")
    return Story(
        tuple(said),
        mark.location,
        tuple(shown),
        tuple(asked),
        details,
        wording.follows(others, leading, is_same),
        failed,
        tuple(_each_message_once(c for c in mark.checks if c.outcome is CheckOutcome.BLOCKED)),
        tuple(check for check in mark.checks if check.outcome is CheckOutcome.PASSED),
    )


_Labelled = list[tuple[str, str]]


def _said(mark: Mark) -> tuple[_Labelled, _Labelled, tuple[str, ...]]:
    """What to mend elsewhere, the mistake, what an error means; questions; and details."""
    by_hand = [("", mark.by_hand)] if mark.by_hand else []
    message = [("", mark.message)] if mark.message and mark.verdict is not Verdict.PASSED else []
    found: _Labelled = []
    for one in mark.diagnosis:
        found.append((wording.ALSO_LIKE if found else wording.LIKE, one.explanation))
    # One at a time: the others' turn comes when this one is mended.
    asked = [(wording.QUESTION, one.question) for one in mark.diagnosis[:1]]
    judges = judges_others(mark.name)
    is_wrong = mark.verdict is Verdict.FAILED or (judges and mark.verdict is Verdict.PARTIAL)
    if not found and not message and mark.location is None and is_wrong:
        asked.append((wording.QUESTION, _what_to_try(mark) if judges else wording.WORK_THROUGH))
    carried = [(wording.ELSEWHERE, _elsewhere(mark))] if mark.carried else []
    notes = list(map(wording.note, mark.notes))
    whole = (wording.WHOLE,) if mark.is_whole else ()
    words = mark.location.words if mark.location is not None else ""
    if not words:
        # An error's text says less than the mistake that is behind it; other messages say more.
        said = [*found, *message] if mark.verdict is Verdict.ERROR else [*message, *found]
        return [*by_hand, *notes, *carried, *said], asked, whole
    raised = tuple(sentence for _, sentence in message)
    return [*by_hand, *notes, *carried, *found, ("", words)], asked, (*raised, *whole)


def _what_to_try(mark: Mark) -> str:
    """Of who judges others: the first check is of right ones, the others of mistakes."""
    lets_right_through = mark.checks and mark.checks[0].outcome is CheckOutcome.PASSED
    return wording.CATCH_IT if lets_right_through else wording.LET_THROUGH


def _was_ended(mark: Mark) -> bool:
    """Whether the code did not live to see all of its checks; the mark's message says why."""
    is_crash = mark.verdict is Verdict.CRASHED and mark.location is None
    return is_crash or mark.verdict is Verdict.TIMEOUT


def _not_tried(check: CheckResult) -> CheckResult:
    """The same, of code that was ended: what happened is said once."""
    ended = check.outcome in (CheckOutcome.ERROR, CheckOutcome.BLOCKED)
    return replace(check, outcome=CheckOutcome.BLOCKED, message="") if ended else check


def _elsewhere(mark: Mark) -> str:
    """Whose mistakes the numbers of one that is right carry; and what is known of them."""
    said = wording.carried(mark)
    return f"{said} {mark.message}" if mark.verdict is Verdict.PASSED and mark.message else said


def _each_message_once(
    checks: Iterable[CheckResult], told: Set[str] = frozenset()
) -> Iterator[CheckResult]:
    """The same; of those with the same message, the first one says it."""
    known = set(told)
    for check in checks:
        yield _without_repetition(check, known)
        known.add(message_of(check.message).key)


def _without_repetition(check: CheckResult, told: Set[str]) -> CheckResult:
    return replace(check, message="") if message_of(check.message).key in told else check
