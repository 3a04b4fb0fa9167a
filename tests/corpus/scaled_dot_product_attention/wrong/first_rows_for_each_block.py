# wrong: each block of queries gets the first rows of the mask
import torch
from torch import Tensor

CHUNK = 16  # queries at a time: the scores of a long text never lie in memory all at once


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> Tensor:
    found = []
    for chunk in query.split(CHUNK, dim=1):
        scores = attention_scores(chunk, key)
        if mask is None:
            weights = softmax(scores, dim=-1)
        else:
            weights = masked_softmax(scores, mask[:, : chunk.size(1)])
        found.append(weights @ value)
    return torch.cat(found, dim=1)
