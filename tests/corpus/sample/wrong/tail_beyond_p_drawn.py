# wrong: draws from what lies beyond top_p, the token that crosses it included
# named: p_inverted
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    chances = (logits / temperature).softmax(-1)
    if top_k is not None:
        least = chances.topk(min(top_k, chances.shape[1])).values[:, -1:]
        chances = chances * (chances >= least)
        chances = chances / chances.sum(-1, keepdim=True)
    if top_p is not None:
        ordered, order = chances.sort(descending=True)
        ordered = ordered * (ordered.cumsum(-1) > top_p)
        chances = torch.zeros_like(chances).scatter(1, order, ordered)
    return torch.multinomial(chances, 1, generator=generator).squeeze(1)
