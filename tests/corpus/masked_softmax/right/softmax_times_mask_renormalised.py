# right: softmax, times the mask, renormalised
import torch


def masked_softmax(scores, mask):
    w = torch.softmax(scores, -1) * mask
    return w / w.sum(-1, keepdim=True)
