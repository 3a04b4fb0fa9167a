"""Where a wrong function raises."""

from torch import Tensor

from ...candidate.candidate import Candidate
from ...curriculum.references import reference
from ..function_answers import FunctionAnswers, answers_of
from ..misconceptions.function_subject import Probe
from ..misconceptions.registry import entry_point, function_subject
from ..misconceptions.wrong_turns import NONE
from ..probed import played
from .exceptions import Raised, are_different, exception_in, sizes_of
from .recording import Recording, record

_TELLS_SIZES = Tensor | int | float | None  # of these what stood there tells sizes, and no case


def function_exception(candidate: Candidate, seed: int) -> tuple[Raised, dict[str, int]] | None:
    """The line that raises on an input on which right code does not, and the sizes there."""
    right = reference(candidate.exercise)
    answers = _answers(candidate, seed)
    probes = answers.questions.probes
    sizes = [sizes_of(right, probe.args, probe.kwargs) for probe in probes]
    # Plain inputs stand first, and before them those whose sizes tell their axes.
    for number in sorted(range(len(probes)), key=lambda each: not are_different(sizes[each])):
        if not answers.value(number).error or answers.questions.right(number).error:
            continue
        mine = called(candidate, probes[number])
        found = None if mine is None else exception_in(mine)
        if found is not None:
            return found, sizes[number]
    return _in_a_check(candidate)


def _in_a_check(candidate: Candidate) -> tuple[Raised, dict[str, int]] | None:
    """The same for what checks alone have tried, but for texts and lists: a case may be hidden."""
    subject, right = function_subject(candidate.exercise), reference(candidate.exercise)
    assert subject is not None
    for ask in candidate.first_raising.values():
        probe = Probe(tuple(ask.payload["args"]), ask.payload["kwargs"])
        is_own = ask.payload["target"] == _target(candidate)
        given = (*probe.args, *probe.kwargs.values())
        tells_sizes = all(isinstance(part, _TELLS_SIZES) for part in given)
        if not is_own or not tells_sizes or played(subject, probe, None, NONE).error:
            continue
        mine = record(candidate, _target(candidate), probe.args, probe.kwargs)
        found = None if mine is None else exception_in(mine)
        if found is not None:
            return found, sizes_of(right, probe.args, probe.kwargs)
    return None


def _answers(candidate: Candidate, seed: int) -> FunctionAnswers:
    subject = function_subject(candidate.exercise)
    assert subject is not None
    return answers_of(subject, candidate, seed)


def called(candidate: Candidate, probe: Probe) -> Recording | None:
    """What its lines do with an input; recorded once."""
    target = _target(candidate)
    return candidate.once(
        "recorded", lambda: record(candidate, target, probe.args, probe.kwargs), probe
    )


def _target(candidate: Candidate) -> dict[str, str]:
    return {"name": entry_point(candidate.exercise) or candidate.exercise}
