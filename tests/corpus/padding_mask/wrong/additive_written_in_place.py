# wrong: additive with the lowest float, written in place
# named: additive_lowest
import torch


def padding_mask(attention_mask):
    additive = torch.zeros(attention_mask.shape, dtype=torch.float32)
    additive[attention_mask == 0] = torch.finfo(additive.dtype).min
    return additive.unsqueeze(1)
