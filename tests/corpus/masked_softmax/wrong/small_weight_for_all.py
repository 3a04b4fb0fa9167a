# wrong: a little is added to every weight before it is divided
import torch

def masked_softmax(scores, mask):
    s = scores.masked_fill(mask == 0, -torch.inf)
    e = (s - s.amax(-1, keepdim=True)).exp() + 1e-8
    return e / e.sum(-1, keepdim=True)
