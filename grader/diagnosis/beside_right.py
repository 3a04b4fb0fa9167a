"""Lays a module's answer beside the right one that its own numbers would give; names no mistake.

Which parameter is a query's and which a key's shows in the values alone, and those are wrong. So it
takes the reading under which the named mistakes give every answer, and takes the mistakes back.
"""

from collections.abc import Sequence

import torch

from ..candidate.candidate import Candidate
from ..candidate.failures import CandidateError
from ..candidate.records import Diagnosis, Picture
from .interpretation.behaviour import observed
from .interpretation.evidence import Evidence
from .interpretation.module_subject import ModuleSubject
from .interpretation.parameter_reading import Reading
from .interpretation.search import found_in
from .misconceptions.wrong_turns import NONE
from .picture import picture_of


def picture_beside_right(
    subject: ModuleSubject, candidate: Candidate, seed: int, found: Sequence[Diagnosis]
) -> Picture | None:
    """The first part of an answer that differs; None where no reading tells what is right.

    Nothing is drawn where the mistakes change what parameters mean.
    """
    try:
        evidence = observed(subject, candidate, seed)
    except CandidateError:
        return None
    reading = _reading(evidence, {each.id for each in found})
    if reading is None or any(param.unused for param in evidence.params):
        return None
    axes = subject.axes
    for probe, answer in evidence.pairs:
        if answer.value is None:
            return None
        with torch.no_grad():
            right = subject.focused(subject.run(reading.roles, *probe.args, **probe.kwargs), probe)
        got = subject.focused(answer.value, probe)
        if got.shape != right.shape:
            return None
        sizes = dict(zip(axes, right.shape, strict=False)) if right.dim() == len(axes) else {}
        picture = picture_of(got, right, subject.tolerance, sizes)
        if picture is not None:
            return picture
    return None


def _reading(evidence: Evidence, mistakes: set[str]) -> Reading | None:
    """The reading that these mistakes, with as little else as can be, were found under."""
    form = evidence.subject.form
    known = [
        (len(on), reading)
        for (on, _), reading in found_in(evidence).items()
        if reading is not None and reading.gradients_agree(on)
        if mistakes and mistakes <= on and form(on) == form(NONE)
    ]
    return min(known, key=lambda pair: pair[0])[1] if known else None
