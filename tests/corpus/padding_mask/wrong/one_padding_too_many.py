# wrong: lengths computed by sum and compared with <= : one padding too many
import torch
def padding_mask(attention_mask):
    lengths = attention_mask.sum(-1, keepdim=True)
    return (torch.arange(attention_mask.size(1))[None] <= lengths).unsqueeze(1)
