"""Where a wrong function raises, and what its lines do on inputs that tell it from right code."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from torch import Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.seeds import generator_for
from ...curriculum.references import reference
from ..misconceptions.function_subject import FunctionSubject, Probe
from ..misconceptions.registry import entry_point, function_subject
from ..misconceptions.wrong_turns import NONE
from ..probed import Seen, asked, played
from ..sameness import same_value, size_of
from .exceptions import Raised, are_different, raised, sizes_of
from .recording import Recording, record

_MOST_WRONG = 3  # inputs of which the lines are recorded
_TELLS_SIZES = Tensor | int | float | None  # of these what stood there tells sizes, and no case


def function_exception(candidate: Candidate, seed: int) -> tuple[Raised, dict[str, int]] | None:
    """The line that raises on an input on which right code does not, and the sizes there."""
    right = reference(candidate.exercise)
    probes = probes_of(candidate.exercise, seed)
    sizes = [sizes_of(right, probe.args, probe.kwargs) for probe in probes]
    # Plain inputs stand first, and before them those whose sizes tell their axes.
    for number in sorted(range(len(probes)), key=lambda each: not are_different(sizes[each])):
        candidate.stay_in_time()
        probe = probes[number]
        if not _raises(candidate, probe) or right_answer(candidate.exercise, seed, number).error:
            continue
        mine = called(candidate, probe)
        found = None if mine is None else raised(mine)
        if found is not None:
            return found, sizes[number]
    return _in_a_check(candidate)


def _in_a_check(candidate: Candidate) -> tuple[Raised, dict[str, int]] | None:
    """The same for what checks alone have tried, but for texts and lists: a case may be hidden."""
    subject, right = function_subject(candidate.exercise), reference(candidate.exercise)
    assert subject is not None
    for ask in candidate.raising.values():
        probe = Probe(tuple(ask.payload["args"]), ask.payload["kwargs"])
        is_own = ask.payload["target"] == _target(candidate)
        given = (*probe.args, *probe.kwargs.values())
        tells_sizes = all(isinstance(part, _TELLS_SIZES) for part in given)
        if not is_own or not tells_sizes or played(subject, probe, None, NONE).error:
            continue
        mine = record(candidate, _target(candidate), probe.args, probe.kwargs)
        found = None if mine is None else raised(mine)
        if found is not None:
            return found, sizes_of(right, probe.args, probe.kwargs)
    return None


@lru_cache(maxsize=64)  # those of all exercises: a class is marked with one seed
def probes_of(exercise: str, seed: int) -> tuple[Probe, ...]:
    """The inputs of an exercise's diagnosis."""
    subject = function_subject(exercise)
    assert subject is not None
    return subject.probes(generator_for(seed, exercise, "diagnosis"))


@lru_cache(maxsize=1_000)
def right_answer(exercise: str, seed: int, number: int) -> Seen:
    """What right code gives on one of them."""
    subject = function_subject(exercise)
    assert subject is not None
    return played(subject, probes_of(exercise, seed)[number], None, NONE)


def _raises(candidate: Candidate, probe: Probe) -> bool:
    """Asked without a recording, which takes ten times as long."""

    def tried() -> bool:
        try:
            candidate.call(_target(candidate), probe.args, dict(probe.kwargs), {})
        except CandidateError:
            return True
        return False

    return candidate.once("raises", tried, probe)


def function_recordings(candidate: Candidate, seed: int) -> list[Recording]:
    """What its lines do on a few inputs on which it gives anything but what right code gives."""
    wrong = islice(wrong_probes(candidate, seed), _MOST_WRONG)
    probes = probes_of(candidate.exercise, seed)
    found = (called(candidate, probes[number]) for number in wrong)
    return [each for each in found if each is not None]


def wrong_probes(candidate: Candidate, seed: int) -> Iterator[int]:
    """The numbers of inputs on which its value is another than that of right code."""
    subject = function_subject(candidate.exercise)
    assert subject is not None
    for number, probe in enumerate(probes_of(candidate.exercise, seed)):
        candidate.stay_in_time()
        right = right_answer(candidate.exercise, seed, number)
        if not is_same(subject, probe, asked(subject, candidate, probe, None), right):
            yield number


def is_same(subject: FunctionSubject, probe: Probe, one: Seen, right: Seen) -> bool:
    """Whether two answers to a probe are equal up to rounding, or both raised."""
    if one.error or right.error:
        return bool(one.error) == bool(right.error)
    values_agree = same_value(one.value, right.value, subject.tolerance, size_of(probe))
    return values_agree and set(one.changed) == set(right.changed)


def called(candidate: Candidate, probe: Probe) -> Recording | None:
    """What its lines do with an input; recorded once."""
    target = _target(candidate)
    return candidate.once(
        "recorded", lambda: record(candidate, target, probe.args, probe.kwargs), probe
    )


def _target(candidate: Candidate) -> dict[str, str]:
    return {"name": entry_point(candidate.exercise) or candidate.exercise}
