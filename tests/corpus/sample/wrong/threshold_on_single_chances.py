# wrong: threshold on single chances
# named: p_as_floor
import torch
import torch.nn.functional as F


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z = logits / temperature
    if top_k is not None:
        edge = z.topk(min(top_k, z.shape[-1])).values[:, -1:]
        z = z.masked_fill(z < edge, float("-inf"))
    if top_p is not None:
        c = z.softmax(-1)
        z = z.masked_fill((c < top_p) & (c < c.amax(-1, keepdim=True)), float("-inf"))
    p = z.softmax(-1)
    return torch.multinomial(p, 1, generator=generator).squeeze(-1)
