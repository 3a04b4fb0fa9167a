"""Asks whether known mistakes explain a module on inputs and weights that no check has used."""

from __future__ import annotations

import dataclasses
from typing import Any

from torch import Generator, Tensor

from grader.candidate.candidate import Candidate
from grader.candidate.failures import CandidateError
from grader.candidate.seeds import generator_for
from grader.course.modules.module_subjects import module_subject
from grader.curriculum.references import reference
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.interpretation.evidence import Evidence
from grader.diagnosis.interpretation.module_subject import ModuleSubject
from grader.diagnosis.interpretation.observing import observe, with_parts_met
from grader.diagnosis.interpretation.search import interpret
from grader.diagnosis.misconceptions.function_subject import Probe
from grader.worker.answering import Service
from tests.candidates import Here

Turns = frozenset[str]
SEEDS = (101, 102)
STRICT = 1e-5  # of the largest number; float32 itself is about 1e-6 off
_LOUD = 4.0  # inputs so much larger, so that scores are sharp and small leaks show


def explained(exercise: str, made: Any, on: Turns) -> bool:
    """Whether the reference with these mistakes gives all its answers and gradients, as judged."""
    subject = module_subject(exercise)
    assert subject is not None
    return all(_fits(subject, made, on, seed) for seed in SEEDS)


def same_as_reference(exercise: str, made: Any) -> bool:
    """Whether some reading of its parameters makes it the reference, on large inputs as well.

    Far stricter than checks are, so that what passes them by a small leak is not taken for right.
    """
    subject = module_subject(exercise)
    assert subject is not None
    strict = dataclasses.replace(subject, tolerance=STRICT)
    loud = dataclasses.replace(strict, probes=lambda generator: _loud(subject, generator))
    return all(_fits(one, made, frozenset(), seed) for one in (strict, loud) for seed in SEEDS)


def _loud(subject: ModuleSubject, generator: Generator) -> tuple[Probe, ...]:
    """The same probes with larger numbers; ids stay as they are."""

    def louder(arg: Any) -> Any:
        floats = isinstance(arg, Tensor) and arg.is_floating_point()
        return arg * _LOUD if floats else arg

    return tuple(
        dataclasses.replace(probe, args=tuple(map(louder, probe.args)))
        for probe in subject.probes(generator)
    )


def _fits(subject: ModuleSubject, made: Any, on: Turns, seed: int) -> bool:
    exercise = syllabus()[subject.exercise]
    service = Service()
    beside = {name: reference(name) for name in (*exercise.uses, *exercise.beside)}
    service.bind({**beside, exercise.name: made})
    candidate = Candidate(exercise.name, Here(service))
    try:
        evidence = observe(subject, candidate, generator_for(seed, exercise.name, "fresh"))
    except CandidateError:
        return False
    # Its parameters in their order, then as inputs meet them.
    return _is_read(evidence, on) or _is_read(with_parts_met(candidate, evidence), on)


def _is_read(evidence: Evidence, on: Turns) -> bool:
    found = interpret(evidence, on)
    return found is not None and found.gradients_agree(on)
