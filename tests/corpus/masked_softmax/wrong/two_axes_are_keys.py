# wrong: a mask of two axes with as many rows as there are sentences is taken for [batch, key]
import torch, math
from torch import nn, Tensor
import torch.nn.functional as F
def masked_softmax(scores, mask):
    if mask.dim() == 2 and mask.shape[0] == scores.shape[0]:
        mask = mask.unsqueeze(1)
    return scores.masked_fill(mask == 0, float("-inf")).softmax(-1)
