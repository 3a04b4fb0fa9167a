# wrong: mask inverted, normalised over the queries, nothing shifted
# named: mask_inverted, softmax_over_queries, no_shift, no_shift_times_mask
import torch
def masked_softmax(scores, mask):
    e = scores.exp() * (1 - mask.float())
    return e / e.sum(1, keepdim=True)
