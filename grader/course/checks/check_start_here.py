"""Hidden checks of chapter 00: the average over a sentence's tokens."""

from torch import Generator

from ...candidate.candidate import Candidate
from ...marking.check import Reference, check
from ...marking.expect import again, answers, gradients, untouched
from ...marking.inputs import normal, one_large, sized

SIZES = ((2, 5, 3), (4, 3, 7), (1, 6, 2), (3, 1, 4), (2, 5, 3))  # the first size comes back


@check("sentence_vector", weight=2, essential=True)
def test_values(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Every sentence gets the average of its own token vectors."""
    for batch, seq, hidden in SIZES:
        x = normal(generator, batch, seq, hidden)
        answers(candidate, reference, x, sizes=sized(batch=batch, seq=seq, hidden=hidden))
    again(candidate, x)
    x[0, 1] = x[1, :, 2] = x[:, 3] = 0
    for some, what in ((x, "With tokens, and a feature, of zeros alone"), (x[:1], "Alone")):
        answers(candidate, reference, some, what=what)
    for shape in one_large(generator, 2, 3, 2):
        long = 1000 * normal(generator, *shape)
        answers(candidate, reference, long, tolerance=1e-3, what=f"For shape {list(shape)}")


@check("sentence_vector")
def test_input_stays(candidate: Candidate, generator: Generator) -> None:
    """The input stays as it is, and may lie in memory in any way."""
    untouched(candidate, normal(generator, 2, 5, 3))


@check("sentence_vector")
def test_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow back to every token vector."""
    x = normal(generator, 2, 5, 3)
    gradients(candidate, reference, x, generator=generator)
