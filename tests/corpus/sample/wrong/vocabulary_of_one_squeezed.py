# wrong: squeeze without an axis: a single row or a single piece loses its axis
import torch

def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z, order = (logits / temperature).sort(-1, descending=True)
    p = z.softmax(-1)
    if top_k is not None:
        p[:, top_k:] = 0
    if top_p is not None:
        q = p / p.sum(-1, keepdim=True)
        p = q.masked_fill(q.cumsum(-1) - q >= top_p, 0)
    return order.gather(-1, torch.multinomial(p, 1, generator=generator)).squeeze()
