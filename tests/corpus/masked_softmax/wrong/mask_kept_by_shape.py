# wrong: the mask of an earlier call of the same shape is used again
# named: earlier_call_counts
import torch

_hidden = {}

def masked_softmax(scores, mask):
    hidden = _hidden.setdefault((mask.shape, scores.shape), mask == 0)
    return scores.masked_fill(hidden, -torch.inf).softmax(-1)
