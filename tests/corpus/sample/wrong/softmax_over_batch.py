# wrong: softmax over the batch
# named: softmax_over_batch
import torch
import torch.nn.functional as F


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z = logits / temperature
    if top_k is not None:
        edge = z.topk(min(top_k, z.shape[-1])).values[:, -1:]
        z = z.masked_fill(z < edge, float("-inf"))
    if top_p is not None:
        s, order = z.softmax(-1).sort(-1, descending=True)
        drop = s.cumsum(-1) - s >= top_p
        z = z.masked_fill(drop.scatter(-1, order, drop), float("-inf"))
    p = z.softmax(0)
    return torch.multinomial(p, 1, generator=generator).squeeze(-1)
