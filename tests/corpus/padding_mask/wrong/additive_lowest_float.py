# wrong: additive with the lowest float, as in BERT's extended mask
# named: additive_lowest
import torch


def padding_mask(attention_mask):
    hidden = 1.0 - attention_mask[:, None, :].float()
    return hidden * torch.finfo(torch.float32).min
