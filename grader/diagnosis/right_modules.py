"""Makes right modules beside a candidate's; knows nothing of what the candidate answers."""

from collections.abc import Sequence

import torch
from torch import Generator, Tensor, nn

from ..curriculum.references import reference
from .interpretation.module_subject import ModuleSubject
from .misconceptions.function_subject import Probe, plain_arguments

FAR, MANY = 1_040, 1_030  # tokens, where no position limits them, and sentences
BESIDE = 30  # tokens of one sequence where the other one is long
_Shape = tuple[int, ...]
# By an exercise, what its module is made with, and the shapes of what it is given.
_right_shapes: dict[tuple[str, str, tuple[_Shape, ...]], list[_Shape]] = {}


def made_like(subject: ModuleSubject) -> nn.Module:
    """The reference, made with what a candidate is made with."""
    made: nn.Module = reference(subject.exercise)(*plain_arguments(subject.arguments))
    return made


def right_shapes(subject: ModuleSubject, probes: Sequence[Probe]) -> list[_Shape]:
    """The shapes of right answers; found out once for probes of the same shapes."""
    given = tuple(tuple(getattr(arg, "shape", ())) for probe in probes for arg in probe.args)
    key = subject.exercise, repr(subject.arguments), given
    if key not in _right_shapes:
        made = made_like(subject).eval()
        with torch.no_grad():
            found = [tuple(made(*probe.args, **probe.kwargs).shape) for probe in probes]
        _right_shapes[key] = found
    return _right_shapes[key]


def sentence(subject: ModuleSubject, generator: Generator, *tokens: int) -> list[Tensor]:
    """The arguments for one sentence of so many tokens, and a second sequence of so many."""
    found = []
    for part, length in zip(subject.probes(generator)[0].args, tokens, strict=False):
        if part.is_floating_point():
            found.append(torch.randn(1, length, part.shape[-1], generator=generator))
        else:
            found.append(torch.randint(1, int(part.max()) + 1, (1, length), generator=generator))
    return found


def rare_sentences(
    subject: ModuleSubject, generator: Generator, far: int = FAR
) -> dict[str, list[Tensor]]:
    """Sentences of one token, of as many as there may be, and many of them, by what they are.

    `far`: tokens, where no position limits them.
    """
    probes = subject.probes(generator)
    args = [part[:, :1] for part in probes[0].args]
    longest = far
    if not args[0].is_floating_point():
        longest = subject.arguments[0].fields["max_position_embeddings"]
    cases = {
        "For sentences of a single token": args,
        "For a single token alone": [part[:1] for part in args],
        f"For a sentence of {longest} tokens": sentence(subject, generator, longest, BESIDE),
    }
    if len(args) > 1:
        what = f"For a second sequence of {FAR} tokens"
        cases[what] = sentence(subject, generator, BESIDE, FAR)
    given = max((probe.args for probe in probes), key=len)  # with a mask, where it takes one
    order = torch.randint(len(given[0]), (MANY,), generator=generator)
    cases[f"For {MANY} sentences"] = [_two_tokens(part)[order] for part in given]
    return cases


def _two_tokens(part: Tensor) -> Tensor:
    """The first and the last of vectors, of ids, or of a mask [batch, 1 or query, key]."""
    ends = part if part.shape[1] == 1 else part[:, [0, -1]]
    return ends if part.is_floating_point() or part.dim() < 3 else ends[..., [0, -1]]
