# right: decorator that lifts to float64, mask multiplied and renormalised
import functools
import torch

def in_double(f):
    @functools.wraps(f)
    def wrapped(scores, mask):
        return f(scores.double(), mask).to(scores.dtype)
    return wrapped

@in_double
def masked_softmax(scores, mask):
    keep = mask.to(torch.bool).expand_as(scores)
    top = torch.where(keep, scores, torch.tensor(-torch.inf, dtype=scores.dtype)).max(-1, keepdim=True).values
    e = torch.where(keep, scores - top, torch.zeros_like(scores)).exp() * keep
    return e / e.sum(-1, keepdim=True)
