# wrong: softmax over all keys, times the mask, renormalised with 1e-12: no weight is left where hidden scores are far above
# named: maximum_of_all_keys
import torch


def masked_softmax(scores, mask):
    w = torch.softmax(scores, -1) * mask
    return w / (w.sum(-1, keepdim=True) + 1e-12)
