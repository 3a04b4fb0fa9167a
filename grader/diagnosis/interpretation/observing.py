"""Builds a candidate's module, gives it telling weights and asks it every probe; judges nothing."""

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate, Outcome
from ...candidate.candidate_module import CandidateModule
from ...candidate.failures import CandidateError, Problem
from ..misconceptions.function_subject import Probe
from ..right_modules import right_shapes
from ..sameness import is_float, near
from ..tolerances import AGAIN
from .evidence import Answer, Evidence, Param, TooLarge
from .held import Values
from .module_subject import ModuleSubject
from .used_parts import parts_held, parts_of, shown

# Of one module, for the small configs that are asked for. The most that anyone wrote with good
# reason: 280 parameters, and 22,000 numbers in them. More would be searched through for minutes.
_MOST_PARAMETERS, _MOST_NUMBERS = 400, 1_000_000
_MASK_VALUES = 2


def observe(subject: ModuleSubject, candidate: Candidate, generator: Generator) -> Evidence:
    """Build it, give it telling weights, ask every probe.

    Raises CandidateError where it cannot be built, and TooLarge where it should not be looked at.
    """
    module = candidate.build(*subject.arguments)
    if _is_too_large(module):
        raise TooLarge(module)
    if not module.is_module:
        raise CandidateError(
            Problem("raised", "TypeError", f"{subject.exercise} is no nn.Module", "construct")
        )
    loose = any(info.kind == "parameter" for info in module.loose)
    fresh = candidate.request("read", handle=module.handle, loose=loose)["values"]
    if any(value.numel() == 0 for value in fresh.values()):  # sized by the first call
        probes = subject.probes(generator)
        module.run(*probes[0].args, **probes[0].kwargs)
        module = CandidateModule(candidate, candidate.request("describe", handle=module.handle))
        fresh = candidate.request("read", handle=module.handle, loose=loose)["values"]
    return evidence_on(subject, module, fresh, generator)


def evidence_on(
    subject: ModuleSubject,
    module: CandidateModule,
    fresh: Values,
    generator: Generator,
    also: tuple[str, ...] = (),
) -> Evidence:
    """Give a module telling weights and ask every probe; its parameters are the parts.

    So are those of what it holds that are of one of the kinds `also`, and no constants.
    """
    probes = subject.probes(generator)
    params = _parameters_of(module, fresh, also)
    values = randomised(params, fresh, generator)
    alone = None if subject.single_token is None else subject.single_token(generator)
    every = probes if alone is None else (*probes, alone)
    answers = _answers(subject, module, values, every, generator)
    single = None
    if alone is not None:
        last = answers.pop()
        single = (alone, last) if _is_telling(last) else None
    unused = _unused(answers)
    params = [replace(p, unused=p.name in unused) for p in params]
    held = parts_held({p.name: p.shape for p in params})
    return Evidence(
        subject=subject,
        module=module,
        fresh=fresh,
        params=params,
        values=values,
        probes=probes,
        answers=answers,
        single=single,
        parts=held,
        held=held,
    )


def with_parts_met(candidate: Candidate, evidence: Evidence) -> Evidence:
    """The same, whose parts are what inputs meet, where each of their numbers is a parameter's."""
    calls = calls_shown(evidence.probes, evidence.answers)
    try:
        met = shown(candidate, evidence.module, calls, "narrow") if calls else None
        parts = None if met is None else parts_of(candidate, met, evidence.values)
    except CandidateError:
        return evidence
    if parts is None:
        return evidence
    return replace(evidence, parts=parts, are_shown=True)


def _parameters_of(
    module: CandidateModule, fresh: Values, also: tuple[str, ...] = ()
) -> list[Param]:
    """All different parameters of a module as registered; those it holds loosely come last."""
    found: list[Param] = []
    infos = [
        (p.name, p.shape)
        for p in module.parameters
        if p.alias_of is None and (p.requires_grad or not _is_constant(fresh.get(p.name)))
    ]
    infos += [
        (p.path, p.shape)
        for p in module.loose
        if p.kind == "parameter" or (p.kind in also and not _is_constant(fresh.get(p.path)))
    ]
    for name, shape in infos:
        value = fresh.get(name)
        if value is None or not _is_readable(value):
            continue  # it can play no role
        found.append(Param(name, tuple(size for size in shape if size != 1)))
    return found


def _is_readable(value: Tensor) -> bool:
    """Whether there are real numbers in it with which PyTorch can calculate."""
    return value.numel() > 0 and value.is_floating_point() and value.element_size() > 1


def _is_constant(frozen: Tensor | None) -> bool:
    """Whether a parameter that does not learn is there instead of a buffer: a number, or a mask.

    A table or weight that should learn is a mistake, which is found by its missing gradient.
    """
    if frozen is None or frozen.numel() == 1 or not _is_readable(frozen):
        return True
    return frozen.dim() > 1 and frozen.unique().numel() <= _MASK_VALUES


def randomised(
    params: Sequence[Param], fresh: Values, generator: torch.Generator
) -> dict[str, Tensor]:
    """Values that hide nothing: activations near 1, scores apart, odd scales and shifts."""
    values = {}
    for param in params:
        shape = fresh[param.name].shape
        noise = torch.randn(shape, generator=generator)
        if len(param.shape) < 2:
            values[param.name] = noise * 0.5 + 0.3
        else:
            values[param.name] = noise * (1.3 / min(35, max(param.shape)) ** 0.5)
    return values


def calls_shown(probes: Sequence[Probe], answers: Sequence[Answer]) -> list[Probe]:
    """Two different calls that have an answer, with all arguments and with few."""
    asked = zip(probes, answers, strict=True)
    fine = [probe for probe, answer in asked if isinstance(answer.outcome, Outcome)]
    fine.sort(key=lambda probe: -len(probe.args))
    return fine[:1] + fine[1:][-1:]


def _is_too_large(module: CandidateModule) -> bool:
    loose = [info.shape for info in module.loose if info.kind == "parameter"]
    shapes = [*(info.shape for info in module.parameters), *loose]
    return len(shapes) > _MOST_PARAMETERS or sum(map(math.prod, shapes)) > _MOST_NUMBERS


def _is_telling(one: Answer) -> bool:
    """Whether there are finite numbers: nan tells nothing apart."""
    return is_float(one.value) and bool(torch.isfinite(one.value).all())


def _unused(answers: list[Answer]) -> set[str]:
    """Parameters that no answer depends on."""
    asked = [
        answer.outcome.parameter_grads or {}
        for answer in answers
        if isinstance(answer.outcome, Outcome) and answer.cotangent is not None
    ]
    names = {name for grads in asked for name in grads}
    return {name for name in names if all(grads.get(name) is None for grads in asked)}


def _answers(
    subject: ModuleSubject,
    module: CandidateModule,
    values: Values,
    probes: Sequence[Probe],
    generator: Generator,
) -> list[Answer]:
    """What a module with these values answers to each probe.

    Each is asked twice, the second time for gradients, where they are wanted; all of it at once.
    """
    pairs = zip(probes, right_shapes(subject, probes), strict=True)
    cotangents = [_cotangent(subject, *pair, generator) for pair in pairs]
    asks = [module.writing(values)]
    for probe, cotangent in zip(probes, cotangents, strict=True):
        asks.append(module.running(*probe.args, **probe.kwargs))
        if probe.gradient:
            asks.append(module.running(*probe.args, cotangent=cotangent, **probe.kwargs))
    written, *outcomes = module.several(*asks)
    if isinstance(written, CandidateError):
        raise written
    found = []
    for probe, cotangent in zip(probes, cotangents, strict=True):
        first, second = outcomes.pop(0), outcomes.pop(0) if probe.gradient else None
        if second is None or isinstance(first, CandidateError) or not is_float(first.value):
            found.append(Answer(first.problem if isinstance(first, CandidateError) else first))
            continue
        if first.value.shape != cotangent.shape:
            cotangent = _cotangent(subject, probe, first.value.shape, generator)
            again = module.running(*probe.args, cotangent=cotangent, **probe.kwargs)
            (second,) = module.several(again)
        if isinstance(second, CandidateError):
            found.append(Answer(first, backward=second.problem))
            continue
        steady = is_float(second.value) and near(second.value, first.value, AGAIN)
        found.append(Answer(second, cotangent, steady))
    return found


def _cotangent(
    subject: ModuleSubject, probe: Probe, shape: Sequence[int], generator: Generator
) -> Tensor:
    """Random weights of an answer's numbers, where the answer is promised."""
    return subject.focused(torch.randn(shape, generator=generator), probe)
