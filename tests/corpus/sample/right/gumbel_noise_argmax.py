# right: Gumbel noise and argmax
import torch
import torch.nn.functional as F


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    logits = logits / temperature
    v = logits.shape[-1]
    if top_k is not None and top_k < v:
        keep = logits.topk(top_k, dim=-1).indices
        logits = torch.full_like(logits, -torch.inf).scatter(-1, keep, logits.gather(-1, keep))
    p = logits.softmax(-1)
    if top_p is not None:
        s, order = p.sort(-1, descending=True)
        s = torch.where(s.cumsum(-1) - s < top_p, s, 0.0)
        p = torch.zeros_like(p).scatter(-1, order, s)

    noise = -torch.log(-torch.log(torch.rand(p.shape, generator=generator, dtype=torch.float64)))
    return (p.double().log() + noise).argmax(-1)
