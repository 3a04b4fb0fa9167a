"""Chapter 12: a head that goes on where the same token stood before."""

from torch import Tensor


def induction_score(attention: Tensor, input_ids: Tensor) -> Tensor:
    """How much of its attention does each head pay to what came after the same token before?

    A position's targets are the positions right after each earlier occurrence of its token in its
    own sequence. Where the token just before it is the same, the position is a target of its own.
    A position without a target is not counted. What a position pays to all its targets together is
    its share. A head's score is the mean share over all counted positions of all sequences, each
    of them counting the same. Where nothing recurs, the score is 0. Every head has a score of its
    own. Attention and ids stay as they are.

    attention: [batch, heads, query, key], float, may require gradients; each query's weights sum
               to 1, those of later keys are 0, and there are as many queries as keys
    input_ids: [batch, seq], long, from 0 to 20 million
    returns:   [heads], each from 0 to 1

    Source: Olsson et al. 2022, "In-context learning and induction heads", for the head and the
    idea of such a score.
    """
    before = input_ids.roll(1, dims=1)  # the token in front of each key
    targets = input_ids.unsqueeze(2) == before.unsqueeze(1)  # [batch, query, key]
    targets[:, :, 0] = False  # nothing stands in front of the first
    targets = targets.tril()  # and nobody knows what comes later
    counted = targets.any(dim=-1).sum()
    paid = attention * targets.unsqueeze(1)  # [batch, heads, query, key]
    return paid.sum(dim=(0, 2, 3)) / counted.clamp(min=1)
