"""Where a wrong function raises."""

from ...candidate.candidate import Candidate
from ...curriculum.references import reference
from ..function_answers import answers_of
from ..misconceptions.function_subject import Probe
from ..misconceptions.registry import entry_point, function_subject
from .exceptions import are_different, exception_in, sizes_of
from .recording import Raised, Recording, recorded


def function_exception(candidate: Candidate, seed: int) -> tuple[Raised, dict[str, int]] | None:
    """The line that raises on an input on which right code does not, and the sizes there."""
    subject, right = function_subject(candidate.exercise), reference(candidate.exercise)
    assert subject is not None
    answers = answers_of(subject, candidate, seed)
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
    return None


def called(candidate: Candidate, probe: Probe) -> Recording | None:
    """What its lines do with an input; recorded once."""
    return recorded(
        candidate, {"name": entry_point(candidate.exercise) or candidate.exercise}, probe
    )
