# right: draws again until it fits
import torch
import torch.nn.functional as F


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z = (logits / temperature).softmax(-1)
    s, order = z.sort(-1, descending=True)
    n = s.shape[-1] if top_k is None else min(top_k, s.shape[-1])
    s = s[:, :n] / s[:, :n].sum(-1, keepdim=True)
    allowed = torch.ones_like(s, dtype=torch.bool) if top_p is None else (s.cumsum(-1) - s) < top_p
    place = torch.multinomial(s, 1, generator=generator)
    for _ in range(200):
        bad = ~allowed.gather(-1, place)
        if not bad.any():
            break
        place = torch.where(bad, torch.multinomial(s, 1, generator=generator), place)
    return order.gather(-1, place)[:, 0]
