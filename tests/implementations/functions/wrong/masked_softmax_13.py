import torch

def masked_softmax(scores, mask):
    scores = torch.where(mask.bool(), scores, torch.tensor(float("-inf")))
    return torch.nan_to_num(softmax(scores, 1))
