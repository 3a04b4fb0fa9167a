# right: one-hot tokens, multiplied by themselves
import torch
from torch.nn.functional import one_hot

def induction_score(attention, input_ids):
    hot = one_hot(input_ids).float()
    before = torch.zeros_like(hot)
    before[:, 1:] = hot[:, :-1]
    target = torch.tril(hot @ before.transpose(1, 2))
    share = (attention * target[:, None]).sum(3)
    number = (target.sum(2) > 0).sum().item()
    return share.sum(2).sum(0) / (number or 1)
