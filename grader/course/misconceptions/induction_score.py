"""Inputs of induction_score that tell its wrong turns apart; it has no formula."""

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe


def causal(generator: Generator, batch: int, heads: int, seq: int) -> Tensor:
    """Attention as a causal model pays it: [batch, heads, seq, seq]."""
    scores = 2 * torch.randn(batch, heads, seq, seq, generator=generator)
    later = torch.ones(seq, seq).triu(1).bool()
    return scores.masked_fill(later, -torch.inf).softmax(-1)


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different and coinciding, much and little recurring, equal neighbours."""

    def probe(ids: Tensor, heads: int, label: str = "") -> Probe:
        batch, seq = ids.shape
        return Probe((causal(generator, batch, heads, seq), ids), label=label)

    def drawn(batch: int, seq: int, vocab: int) -> Tensor:
        return torch.randint(vocab, (batch, seq), generator=generator)

    def at_times(first: Probe) -> Probe:
        """The same, but the first key gets all that two heads pay at some positions."""
        attention, ids = first.args
        attention[:, 0, ::2] = attention[:, :2, 4] = torch.eye(ids.shape[1])[0]
        return Probe((attention, ids), label="heads that pay nothing at times")

    uneven = torch.tensor([[1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 0], [0, 1, 2, 3, 4, 5]])
    return (
        probe(drawn(3, 8, 4), 2),
        probe(drawn(2, 9, 3), 4),
        probe(torch.tensor([[0, 1, 2, 3, 0, 1, 2, 3]]), 3, "one sequence, all of it twice"),
        probe(uneven, 2, "much and little recurring"),
        probe(torch.tensor([[2, 2, 3, 3, 2], [4, 1, 1, 1, 4]]), 3, "equal neighbours"),
        probe(torch.arange(6).repeat(2, 1), 3, "nothing recurs"),
        probe(torch.tensor([[0, 1, 2, 3, 4, 0]]), 2, "the first token comes again"),
        at_times(probe(drawn(2, 9, 3), 2)),
    )


SUBJECTS = (FunctionSubject("induction_score", probes),)
