"""The words of a mark that every surface shows alike; knows no surface."""

import re
from collections.abc import Sequence

from ..candidate.records import CheckOutcome, CheckResult, Location, Mark, Note, Verdict
from .text import count, one_line, visible

# Of verdicts, and of outcomes, whose words are among them: a sign for the eye beside each word,
# never instead of it; one of Latin-1 alone, which every monospaced font has, all of one width; the
# name of its colours on a page; its colour in a terminal.
_LOOKS = {
    Verdict.PASSED: ("✓", "+", "passed", "green"),
    Verdict.PARTIAL: ("◐", "~", "partial", "yellow"),
    Verdict.FAILED: ("✗", "×", "failed", "red"),
    Verdict.ERROR: ("!", "!", "error", "red"),
    Verdict.TIMEOUT: ("!", "!", "error", "red"),
    Verdict.CRASHED: ("!", "!", "error", "red"),
    Verdict.BLOCKED: ("‖", "=", "idle", "yellow"),
    Verdict.NOT_STARTED: ("·", "·", "idle", ""),
    Verdict.MISSING: ("·", "·", "idle", ""),
}
SIGNS, SHORT_SIGNS, TONES, STYLES = (
    {str(verdict): looks[kind] for verdict, looks in _LOOKS.items()} for kind in range(4)
)
OUTCOMES = {  # a check's title is what should be so
    CheckOutcome.PASSED: "passed",
    CheckOutcome.FAILED: "does not hold yet",
    CheckOutcome.ERROR: "error",
    CheckOutcome.BLOCKED: "blocked",
}


def titled(check: CheckResult) -> str:
    """What became of a check: ✗ does not hold yet: It leaves the input as it is."""
    return f"{SIGNS[check.outcome]} {OUTCOMES[check.outcome]}: {one_line(check.title)}"


MANY = 8  # names that are too many for a line
NOT_BEGUN = (Verdict.NOT_STARTED, Verdict.MISSING)
WITHOUT_CHECKS = (*NOT_BEGUN, Verdict.BLOCKED)


def is_idle(mark: Mark) -> bool:
    """Whether there is nothing to tell of an exercise: not begun, and no points set by hand."""
    return mark.verdict in NOT_BEGUN and not (mark.by_hand or mark.notes)


# Where no known mistake fits.
WORK_THROUGH = (
    "Work one tiny input through by hand, and print each step of your code: which is the first "
    "that differs?"
)
# Of an exercise that judges implementations, spot_…
CATCH_IT = "On which input does an implementation with this mistake differ from a right one?"
LET_THROUGH = "Take a right implementation that is turned away: which difference is no mistake?"
WHOLE = (
    "The whole notebook was run for this one, cell after cell: taken out of it, the exercise alone "
    "did not do the same."
)
THEY_ASK = "What is asked there:"  # above the titles of checks that fail beside the one told
ELSEWHERE = "Elsewhere:"  # what follows is another exercise's matter
LIKE, ALSO_LIKE, QUESTION = "It behaves like this:", "And like this as well:", "Think about:"


OF_ANOTHER = ", of another answer than the one that counts now"


def note(one: Note) -> tuple[str, str]:
    """Who wrote a note, when and about what; and the note."""
    day = f"{one.time[:10]}{OF_ANOTHER if one.of_another else ''}"
    if one.kind == "request":
        return f"Asked to look again, {day}:", quoted(one.text)
    if one.kind == "answer":
        return f"{one_line(one.who)} answers, {day}:", one.text
    if not one.line:
        return f"{one_line(one.who)}, {day}:", one.text
    place = f"line {one.line} of {one_line(one.cell)}"
    says = "said" if one.of_another else "says"
    there = f"\nIt {says} `{one_line(one.code)}` there." if one.code else ""
    return f"{one_line(one.who)}, {day}, on {place}:", f"{one.text}{there}"


def quoted(text: str) -> str:
    """What a learner wrote, each line in quotes of its own: nobody takes it for another's."""
    lines = visible(text).replace("“", '"').replace("”", '"').splitlines()
    return "\n".join(f"“{line.strip()}”" for line in lines if line.strip())


def located(where: Location) -> str:
    """The line to look at as plain text, with a mark below the part that is meant."""
    lines = where.message.split("\n")
    before, part, _ = parted(where)
    at = next((n for n, line in enumerate(lines) if line.endswith(f": {where.source}")), None)
    if part and at is not None:
        indent = len(lines[at]) - len(where.source) + len(before)
        lines.insert(at + 1, " " * indent + "^" * len(part))
    return "\n".join([*lines, *([" · ".join(where.stood)] if where.stood else [])])


def parted(where: Location) -> tuple[str, str, str]:
    """The line before the part that is meant, the part, and what comes behind it.

    Where a longer name holds the part too, that is not it.
    """
    if not where.part:
        return "", "", ""
    before, after = (r"\b" if re.match(r"\w", where.part[at]) else "" for at in (0, -1))
    found = re.search(f"{before}{re.escape(where.part)}{after}", where.source)
    at = found.start() if found else len(where.source)
    end = at + len(where.part)
    return where.source[:at], where.source[at:end], where.source[end:]


def not_tried(checks: Sequence[CheckResult]) -> str:
    """How many checks wait, and for what, where they say so."""
    reasons = " ".join(dict.fromkeys(check.message for check in checks if check.message))
    message = f"‖ {count(len(checks), 'check')} could not be tried yet"
    return f"{message}: {reasons}" if reasons else f"{message}."


def follows(failed: Sequence[CheckResult], leading: Sequence[CheckResult], is_same: bool) -> str:
    """Of checks that fail beside the one that is told: how they do, and what to do first."""
    if not failed:
        return ""
    how = "fail in the same way" if is_same else "fail too, perhaps for this reason alone"
    if is_same and all(check.outcome is CheckOutcome.ERROR for check in (*leading, *failed)):
        how = "end in this same error"
    many = count(len(failed), "more check" if leading else "check")
    if len(failed) == 1:
        how = how.replace("fail", "fails", 1).replace("end", "ends", 1)
    return f"{many} {how}. Fix this first, then check again."


def some(names: Sequence[str]) -> str:
    """a, b, c; of many names the first ones, and how many more there are."""
    if len(names) <= MANY:
        return ", ".join(names)
    return f"{', '.join(names[: MANY - 2])} and {len(names) - MANY + 2} more"


def carried(mark: Mark) -> str:
    """With which earlier exercises put right it passes, where their mistakes do not count here."""
    if not mark.carried:
        return ""
    right = "a right" if len(mark.carried) == 1 else "right"
    return f"With {right} {listed(mark.carried)} this one passes: no points are lost here."


def passed(mark: Mark, number: int) -> str:
    """How many checks passed, where not all did."""
    return "What was checked" if number == len(mark.checks) else f"{count(number, 'check')} passed"


def listed(names: tuple[str, ...]) -> str:
    """a, b and c."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
