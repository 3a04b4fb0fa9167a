# wrong: each row draws within a stratum of its own, in random order
# named: rows_hang_together
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z, token = torch.sort(logits / temperature, dim=-1, descending=True)
    chances = torch.softmax(z.double(), dim=-1)
    if top_k is not None:
        chances[:, top_k:] = 0
        chances = chances / chances.sum(-1, keepdim=True)
    if top_p is not None:
        chances[chances.cumsum(-1) - chances >= top_p] = 0
        chances = chances / chances.sum(-1, keepdim=True)
    n = len(logits)
    u = (torch.randperm(n, generator=generator) + torch.rand(n, generator=generator).double()) / n
    place = torch.searchsorted(chances.cumsum(-1), u[:, None], right=True)
    last = (chances > 0).sum(-1, keepdim=True) - 1
    return token.gather(-1, torch.minimum(place, last))[:, 0]
