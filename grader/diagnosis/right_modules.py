"""Makes right modules beside a candidate's; knows nothing of what the candidate answers."""

from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Generator, Tensor, nn

from ..curriculum.references import plain_arguments, reference
from .interpretation.module_subject import ModuleSubject
from .misconceptions.function_subject import Probe

_Given = tuple[tuple[int, ...], ...]


def made_like(subject: ModuleSubject) -> nn.Module:
    """The reference, made with what a candidate is made with."""
    made: nn.Module = reference(subject.exercise)(*plain_arguments(subject.arguments))
    return made


def right_shapes(subject: ModuleSubject, probes: Sequence[Probe]) -> list[tuple[int, ...]]:
    """The shapes of right answers; found out once for probes of the same shapes."""
    found = _shapes_by_probes(subject.exercise, repr(subject.arguments))
    given = tuple(tuple(getattr(arg, "shape", ())) for probe in probes for arg in probe.args)
    if given not in found:
        made = made_like(subject).eval()
        with torch.no_grad():
            found[given] = [tuple(made(*probe.args, **probe.kwargs).shape) for probe in probes]
    return found[given]


@lru_cache(maxsize=100)
def _shapes_by_probes(exercise: str, arguments: str) -> dict[_Given, list[tuple[int, ...]]]:
    return {}


def sentence(subject: ModuleSubject, tokens: int, generator: Generator) -> list[Tensor]:
    """The arguments for one sentence of so many tokens, each another one."""
    assert subject.single is not None
    drawn = [subject.single(generator).args for _ in range(tokens)]
    return [torch.cat([each[:1] for each in parts], 1) for parts in zip(*drawn, strict=True)]
