# wrong: nanmean after filling padding with zeros (divides by length)
# named: by_length
import torch
def mean_pool(hidden_state, attention_mask):
    return torch.where(attention_mask.bool()[..., None], hidden_state, 0.0).nanmean(1)
