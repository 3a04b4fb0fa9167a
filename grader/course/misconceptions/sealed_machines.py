"""The sealed machines seen through rows, and through answers for sets of heads; no wrong turn."""

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe

# Runs beside the learner's code. A set of heads is a row of the table: head h counts 2 ** h.
HARNESS = """
def grader_fewest_heads(table, num_heads):
    def answer(speak):
        if not isinstance(speak, (list, tuple)):
            raise TypeError(f"answer takes a list of heads; it was given {type(speak).__name__}")
        heads = [int(head) for head in speak]
        if heads != sorted(set(heads)) or not set(heads) <= set(range(num_heads)):
            raise ValueError(f"answer takes different heads from 0 on, ascending; not {heads}")
        return table[sum(2 ** head for head in heads)] + 0  # lies in memory as the table does

    result = fewest_heads(answer, num_heads)
    kind = type(result).__name__
    heads = list(result) if isinstance(result, (list, tuple)) else []
    plain = all(type(one) is int for one in heads)
    whole = [int(one) if isinstance(one, int) or hasattr(one, "item") else -1 for one in heads]
    return {"heads": whole, "kind": kind, "plain": plain}
"""


# Neighbours where 32-bit floats begin to leave numbers out, and an even one far above odd ones.
FARTHEST = torch.tensor([[1, 0, 3, 1, 2_000_000, 2]]) + 2**24
LARGE = 2**62  # so large that one more is nothing, in floats of 64 bits too


def machine(
    generator: Generator,
    num_heads: int,
    *enough: list[int],
    shape: tuple[int, ...] = (5, 3),
    errors: int = 4,
) -> Tensor:
    """Answers of each set of heads, [2 ** num_heads, *shape]: right where one of `enough` speaks.

    Every other set errs, at `errors` places at most.
    """
    whole = torch.randint(9, shape, generator=generator)
    table = whole.expand(2**num_heads, *shape).clone()
    for number, answers in enumerate(table.view(len(table), -1)):
        if not any(all(number >> head & 1 for head in heads) for heads in enough):
            places = torch.randint(answers.numel(), (errors,), generator=generator)
            answers[places] = (answers[places] + 1) % 9
    return table


def drawn_machine(generator: Generator, num_heads: int) -> Tensor:
    """The same, where each set is right by chance: one head more may spoil it all."""
    table = machine(generator, num_heads, list(range(num_heads)))
    right = torch.rand(len(table), generator=generator) < 0.25
    right[0] = False
    table[right] = table[-1].clone()
    return table


def shuffled(table: Tensor) -> Tensor:
    """The same sets err: they give each right answer, one place farther on in its row."""
    flat, moved = table.flatten(1), table.clone()
    moved[(flat != flat[-1]).any(1)] = table[-1].roll(1, -1)
    return moved


def machine_probes(generator: Generator) -> tuple[Probe, ...]:
    """With and without stand-ins, of every size; where more is worse, and where none is needed."""

    def probe(num_heads: int, *enough: list[int], errors: int = 4) -> Probe:
        table = machine(generator, num_heads, *enough, errors=errors)
        return Probe((table, num_heads))

    return (
        probe(4, [1]),
        probe(4, [0, 3]),
        probe(5, [1, 2, 4], errors=1),
        probe(4, [1], [3]),
        probe(5, [0, 1], [2], [3, 4]),
        probe(5, [2, 3], [1, 4], [1, 3]),
        probe(6, [0, 1, 2], [3, 4]),
        probe(6, [0, 5], [1, 2]),
        probe(3, []),
        probe(3, [0, 1, 2]),
        *(Probe((drawn_machine(generator, heads), heads)) for heads in (3, 4, 5, 5)),
        Probe((machine(generator, 4, [0, 2], errors=1) + LARGE, 4)),
        Probe((shuffled(machine(generator, 4, [1, 3])), 4)),
        # Of the other sets few answers are right, and then hardly any.
        *(probe(4, [1, 2], [3], errors=errors) for errors in (25, 60, 99)),
    )


SUBJECT = FunctionSubject(
    "fewest_heads", machine_probes, entry="grader_fewest_heads", harness=HARNESS
)


def sealed_probes(generator: Generator) -> tuple[Probe, ...]:
    """Six letters, few and many different ones; other lengths; tokens beyond the letters."""

    def probe(batch: int, seq: int, most: int) -> Probe:
        return Probe((torch.randint(most, (batch, seq), generator=generator),))

    sizes = ((20, 6, 10), (20, 6, 3), (3, 5, 10), (4, 9, 10), (5, 1, 10), (3, 8, 40), (2, 2, 4))
    far = torch.randint(200, (4, 30), generator=generator)
    return (
        *(probe(*size) for size in sizes),
        *(Probe((row,), aside=True) for row in (far, FARTHEST)),
    )


SUBJECTS = (SUBJECT, *(FunctionSubject(f"sealed_{letter}", sealed_probes) for letter in "abc"))
