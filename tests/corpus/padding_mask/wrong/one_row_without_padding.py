# wrong: where nothing is padded, one row is given for the whole batch
import torch

def padding_mask(attention_mask):
    if bool(attention_mask.all()):
        return torch.ones(1, 1, attention_mask.shape[1], dtype=torch.bool)
    return attention_mask.bool()[:, None]
