"""What of a mark is told in full, what is folded, in which order; knows no surface."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace

from ..candidate.message import key_of, message_of
from ..candidate.records import CheckOutcome, CheckResult, Mark, Verdict
from ..course.syllabus import judges_others
from . import wording

_WRONG = (CheckOutcome.FAILED, CheckOutcome.ERROR)
_NO_READING = key_of("no reading")  # of a module; a known mistake says more
_LEADING = 2  # failed checks told in full where no known mistake fits; else one is enough


@dataclass(frozen=True)
class Story:
    """A mark in the order in which a learner should read it."""

    said: tuple[tuple[str, str], ...]  # label, sentence; the label may be empty
    leading: tuple[CheckResult, ...]  # told in full
    failed: tuple[CheckResult, ...]  # the others that failed
    waiting: tuple[CheckResult, ...]  # not run, or nothing to say before the others hold
    passed: tuple[CheckResult, ...]


def story(mark: Mark) -> Story:
    """The most telling first, nothing twice."""
    said = tuple(_said(mark))
    if mark.verdict in wording.WITHOUT_CHECKS:
        return Story(said, (), (), (), ())
    wrong = [check for check in mark.checks if check.outcome in _WRONG]
    told = {message_of(mark.message).key, *(key_of(one.id) for one in mark.diagnosis)}
    if mark.diagnosis:
        told.add(_NO_READING)
    fresh: dict[str, CheckResult] = {}
    for check in wrong:
        key = message_of(check.message).key
        if check.picture or (key and key not in told):
            fresh.setdefault(key, check)
    leading = list(fresh.values())[: 1 if mark.diagnosis else _LEADING]
    if not leading and mark.verdict is not Verdict.ERROR:  # its title says more, an error's not
        leading = wrong[:1]
    others = [check for check in wrong if not any(check is one for one in leading)]
    known = told | {message_of(check.message).key for check in leading}
    return Story(
        said,
        tuple(_without_repetition(check, told) for check in leading),
        tuple(_without_repetition(check, known) for check in others),
        tuple(_each_reason_once(mark.checks)),
        tuple(check for check in mark.checks if check.outcome is CheckOutcome.PASSED),
    )


def _said(mark: Mark) -> list[tuple[str, str]]:
    """Labelled sentences: what to mend elsewhere, the mistake, the error with its place."""
    by_hand = [("", mark.by_hand)] if mark.by_hand else []
    message = [("", mark.message)] if mark.message and mark.verdict is not Verdict.PASSED else []
    found: list[tuple[str, str]] = []
    for one in mark.diagnosis:
        found.append((wording.ALSO_LIKE if found else wording.LIKE, one.explanation))
    if mark.diagnosis:  # one at a time: the others' turn comes when this one is mended
        found.append((wording.QUESTION, mark.diagnosis[0].question))
    where = [] if mark.location is None else [("", mark.location.message)]
    if not found and not message and not where and mark.verdict is Verdict.FAILED:
        judges = judges_others(mark.name)
        found.append((wording.QUESTION, wording.SHOW_IT if judges else wording.WORK_THROUGH))
    carried = [(wording.ELSEWHERE, _elsewhere(mark))] if mark.carried else []
    whole = [("", wording.WHOLE)] if mark.is_whole else []
    # An error's text says less than the mistake that is behind it; other messages say more.
    said = [*found, *message] if mark.verdict is Verdict.ERROR else [*message, *found]
    return [*by_hand, *map(wording.note, mark.notes), *carried, *said, *where, *whole]


def _elsewhere(mark: Mark) -> str:
    """Whose mistakes the numbers of one that is right carry; and what is known of them."""
    said = wording.carried(mark)
    return f"{said} {mark.message}" if mark.verdict is Verdict.PASSED and mark.message else said


def _each_reason_once(checks: Iterable[CheckResult]) -> Iterator[CheckResult]:
    """The checks that wait; of those with the same reason, the first one says it."""
    told: set[str] = set()
    for check in checks:
        if check.outcome is CheckOutcome.BLOCKED:
            yield _without_repetition(check, told)
            told.add(message_of(check.message).key)


def _without_repetition(check: CheckResult, told: Set[str]) -> CheckResult:
    return replace(check, message="") if message_of(check.message).key in told else check
