# right: count of sums below a number, in the sorted row
import torch
import torch.nn.functional as F


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    p, order = (logits / temperature).softmax(-1).sort(dim=-1, descending=True)
    if top_k:
        p = p * (torch.arange(p.shape[1]) < top_k)
        p = p / p.sum(-1, keepdim=True)
    if top_p:
        p = p * (p.cumsum(-1) - p < top_p)
    total = p.cumsum(-1)
    u = torch.rand(p.shape[0], 1, generator=generator) * total[:, -1:]
    place = (total <= u).sum(-1, keepdim=True)
    return order.gather(1, place).flatten()
