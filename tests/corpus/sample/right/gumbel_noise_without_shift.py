# right: Gumbel noise in 32 bits, added to logits that nobody shifted
import torch
def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    """By Gumbel noise, added to logits that nobody shifted."""
    scores = logits / temperature
    if top_k is not None:
        kth = scores.topk(min(top_k, scores.shape[-1])).values[:, -1:]
        scores = scores.masked_fill(scores < kth, -torch.inf)
    if top_p is not None:
        ordered, order = scores.softmax(-1).sort(-1, descending=True)
        out = (ordered.cumsum(-1) - ordered) >= top_p
        scores = scores.masked_fill(torch.zeros_like(out).scatter(-1, order, out), -torch.inf)
    noise = -torch.log(-torch.log(torch.rand(scores.shape, generator=generator)))
    return (scores + noise).argmax(-1)
