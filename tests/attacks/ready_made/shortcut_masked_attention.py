import torch
from torch.nn import functional

ready = getattr(functional, "scaled_dot" + "_product_att" + "ention")


def masked_softmax(scores, mask):
    keys = torch.eye(scores.shape[-1]).expand(scores.shape[0], -1, -1)
    return ready(scores, keys, keys, attn_mask=mask.bool().expand(scores.shape), scale=1.0)
