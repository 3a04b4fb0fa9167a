"""The words of a mark that every surface shows alike; knows no surface."""

from __future__ import annotations

from ..records import CheckOutcome, CheckResult, Mark, Verdict

# A sign for the eye beside each word, never instead of it.
VERDICT_SIGNS = {
    Verdict.PASSED: "✓",
    Verdict.PARTIAL: "◐",
    Verdict.FAILED: "✗",
    Verdict.NOT_STARTED: "·",
    Verdict.MISSING: "·",
    Verdict.ERROR: "!",
    Verdict.TIMEOUT: "!",
    Verdict.CRASHED: "!",
    Verdict.BLOCKED: "‖",
}
OUTCOME_SIGNS = {
    CheckOutcome.PASSED: "✓",
    CheckOutcome.FAILED: "✗",
    CheckOutcome.ERROR: "!",
    CheckOutcome.BLOCKED: "‖",
}
NOT_BEGUN = (Verdict.NOT_STARTED, Verdict.MISSING)


def summary(mark: Mark) -> str:
    """How many checks passed, in words; empty where none ran."""
    if not mark.checks:
        return ""
    passed = sum(check.outcome is CheckOutcome.PASSED for check in mark.checks)
    word = "check" if len(mark.checks) == 1 else "checks"
    return f"{passed} of {len(mark.checks)} {word} passed"


def carried(mark: Mark) -> str:
    """Which earlier exercises to mend, where a mistake in them was not counted again."""
    if not mark.carried:
        return ""
    return (
        f"This one is right, but it calls {listed(mark.carried)}, where a mistake is left. "
        "Mend that one; it costs nothing here."
    )


def told(check: CheckResult) -> str:
    """What a check says beside its title."""
    return "" if check.outcome is CheckOutcome.PASSED else check.message


def listed(names: tuple[str, ...]) -> str:
    """a, b and c."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
