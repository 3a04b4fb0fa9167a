"""Makes right modules beside a candidate's; knows nothing of what the candidate answers."""

from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Generator, Tensor, nn

from ..curriculum.references import reference
from .interpretation.module_subject import ModuleSubject
from .misconceptions.function_subject import Probe, plain_arguments

FAR = 521  # tokens, where no position limits them
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
    """The arguments for one sentence of so many tokens; a second sequence has more, or fewer."""
    found = []
    for index, part in enumerate(subject.probes(generator)[0].args):
        length = tokens + 30 * index
        if part.is_floating_point():
            found.append(torch.randn(1, length, part.shape[-1], generator=generator))
        else:
            found.append(torch.randint(1, int(part.max()) + 1, (1, length), generator=generator))
    return found


def rare_sentences(subject: ModuleSubject, generator: Generator) -> dict[str, list[Tensor]]:
    """Sentences of one token, and of as many as there may be, by what they are."""
    args = [part[:, :1] for part in subject.probes(generator)[0].args]
    longest = FAR
    if not args[0].is_floating_point():
        longest = subject.arguments[0].fields["max_position_embeddings"]
    return {
        "For sentences of a single token": args,
        "For a single token alone": [part[:1] for part in args],
        f"For a sentence of {longest} tokens": sentence(subject, longest, generator),
    }
