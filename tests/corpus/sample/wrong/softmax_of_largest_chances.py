# wrong: a softmax over the largest chances instead of their share
# named: softmax_twice
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    chances = torch.softmax(logits / temperature, -1)
    if top_k is not None:
        best, where = chances.topk(min(top_k, chances.shape[1]))
        chances = torch.zeros_like(chances).scatter(1, where, best.softmax(-1))
    if top_p is not None:
        ordered, order = chances.sort(descending=True)
        ordered = ordered.masked_fill(ordered.cumsum(-1) - ordered >= top_p, 0.0)
        chances = torch.zeros_like(chances).scatter(1, order, ordered)
    return torch.multinomial(chances, 1, generator=generator).flatten()
