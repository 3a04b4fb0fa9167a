# wrong: bmm of the mask with itself: pairs
# named: outer
import torch
def padding_mask(attention_mask):
    m = attention_mask.float()
    return torch.bmm(m[:, :, None], m[:, None, :]).bool()
