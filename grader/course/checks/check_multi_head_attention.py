"""Hidden checks of chapter 05's functions: heads are cut and laid side by side again."""

from torch import Generator

from ...candidate.candidate import Candidate
from ...marking.check import Reference, check
from ...marking.expect import again, agree, answers, gradients, untouched
from ...marking.inputs import normal, one_large, sized

# Batch, seq, heads, head_dim: pairwise different in every row.
SIZES = ((2, 3, 4, 5), (3, 7, 2, 6), (1, 5, 6, 2), (2, 3, 4, 5))  # the first ones come back


@check("split_heads", weight=3, essential=True)
def test_split(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Head h of a token holds that token's h-th slice of features."""
    for batch, seq, heads, head_dim in SIZES:
        x = normal(generator, batch, seq, heads * head_dim)
        sizes = sized(batch=batch, seq=seq, heads=heads, head_dim=head_dim)
        answers(candidate, reference, x, heads, sizes=sizes)
    again(candidate, x, heads)


@check("split_heads")
def test_split_edges(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """One head works, as many heads as features, and sizes that coincide."""
    x = normal(generator, 2, 4, 16)
    for heads in (1, 4, 16):
        answers(candidate, reference, x, heads, what=f"With {heads} heads of 16 features")
    x[0], x[1, :, ::3] = 0, 1e30
    answers(candidate, reference, x, 4, what="With zeros and with numbers of 1e30")
    answers(candidate, reference, normal(generator, 1, 1, 1), 1, what="For a single number")
    x = normal(generator, 2, 3, 6).double() / 3
    agree(candidate(x, 2), reference(x, 2), 0.0, "In float64")
    for batch, seq, heads, head_dim in one_large(generator, 1, 2, 2, 3):
        x = normal(generator, batch, seq, heads * head_dim)
        case = f"For {heads} heads and a tensor of shape {list(x.shape)}"
        answers(candidate, reference, x, heads, what=case)


@check("split_heads")
def test_split_stays(candidate: Candidate, generator: Generator) -> None:
    """The input stays as it is."""
    untouched(candidate, normal(generator, 2, 3, 8), 4, contiguous=True)


@check("split_heads")
def test_split_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow back to every feature."""
    x = normal(generator, 2, 3, 8)
    gradients(candidate, reference, x, 4, generator=generator)


@check("merge_heads", weight=3, essential=True)
def test_merge(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """The heads of every token lie side by side, head 0 first."""
    for batch, seq, heads, head_dim in SIZES:
        x = normal(generator, batch, heads, seq, head_dim)
        sizes = sized(batch=batch, seq=seq, heads=heads, head_dim=head_dim)
        answers(candidate, reference, x, sizes=sizes)
    again(candidate, x)


@check("merge_heads")
def test_merge_edges(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """One head works, and sizes that coincide."""
    answers(candidate, reference, normal(generator, 2, 1, 3, 4), what="With one head")
    answers(candidate, reference, normal(generator, 3, 3, 3, 3), what="With all sizes equal")
    answers(candidate, reference, normal(generator, 1, 4, 1, 1), what="For a single token")
    for shape in one_large(generator, 1, 2, 2, 3):
        answers(candidate, reference, normal(generator, *shape), what=f"For shape {list(shape)}")
    x = normal(generator, 2, 4, 3, 2)
    x[0], x[1, 2] = 0, 1e30
    answers(candidate, reference, x, what="With zeros and with numbers of 1e30")


@check("merge_heads")
def test_merge_stays(candidate: Candidate, generator: Generator) -> None:
    """The input stays as it is, and may lie in memory in any way."""
    untouched(candidate, normal(generator, 2, 4, 3, 5))


@check("merge_heads")
def test_merge_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow back to every head."""
    x = normal(generator, 2, 4, 3, 5)
    gradients(candidate, reference, x, generator=generator)
