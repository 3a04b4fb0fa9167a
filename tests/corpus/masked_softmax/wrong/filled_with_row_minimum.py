# wrong: shift by the masked row's minimum kept: fills with row minimum
import torch
def masked_softmax(scores, mask):
    low = scores.amin(dim=-1, keepdim=True)
    s = torch.where(mask.bool(), scores, low - 5)
    return torch.softmax(s, -1)
