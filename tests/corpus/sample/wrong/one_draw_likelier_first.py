# wrong: one random number for all rows, over the sorted chances
# named: one_number_for_all
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    """Inverse transform sampling over the sorted chances."""
    z, token = torch.sort(logits / temperature, dim=-1, descending=True)
    chances = torch.softmax(z, dim=-1)
    if top_k is not None:
        chances[:, top_k:] = 0
        chances = chances / chances.sum(-1, keepdim=True)
    if top_p is not None:
        predecessors = chances.cumsum(-1) - chances
        keep = predecessors < top_p
        keep[:, 0] = True
        chances = chances * keep
        chances = chances / chances.sum(-1, keepdim=True)
    u = torch.rand(1, generator=generator, dtype=chances.dtype)
    place = (chances.cumsum(-1) <= u).sum(-1)
    last = (chances > 0).sum(-1) - 1                  # rounding: the sum may stay below 1
    place = torch.minimum(place, last)
    return token.gather(-1, place[:, None])[:, 0]
