# right: 64 bits, helpers
import torch


def keep_top_k(scores, k):
    rank = scores.argsort(dim=-1, descending=True).argsort(dim=-1)
    return scores.masked_fill(rank >= k, float("-inf"))


def keep_top_p(scores, p):
    chances, order = torch.sort(scores.softmax(-1), dim=-1, descending=True, stable=True)
    earlier = torch.nn.functional.pad(chances.cumsum(-1), (1, -1))
    drop = torch.empty_like(earlier, dtype=torch.bool).scatter_(-1, order, earlier >= p)
    return scores.masked_fill(drop, float("-inf"))


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    scores = logits.double() / temperature
    if top_k is not None:
        scores = keep_top_k(scores, top_k)
    if top_p is not None:
        scores = keep_top_p(scores, top_p)
    return torch.multinomial(scores.softmax(-1), 1, generator=generator).squeeze(-1)
