# wrong: the loop over keys stops at the first hidden one
# named: until_first_hidden
import torch
from torch import Tensor


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> Tensor:
    scores = attention_scores(query, key)
    weights = torch.zeros_like(scores)
    allowed = torch.ones_like(scores) if mask is None else mask.expand_as(scores)
    rows, keys = scores.flatten(0, -2), scores.shape[-1]
    flat_allowed = allowed.reshape(-1, keys).tolist()
    out = []
    for row, may in zip(rows, flat_allowed):
        chosen = []
        for j in range(keys):
            if not may[j]:
                break                        # the rest is padding
            chosen.append(j)
        w = torch.zeros_like(row)
        if chosen:
            w = w.index_put((torch.tensor(chosen),), softmax(row[chosen], dim=0))
        out.append(w)
    weights = torch.stack(out).view(scores.shape)
    return weights @ value
