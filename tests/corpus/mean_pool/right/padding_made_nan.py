# right: padding made nan, then nanmean
import torch

def mean_pool(hidden_state, attention_mask):
    kept = hidden_state.masked_fill(attention_mask.unsqueeze(-1) == 0, float("nan"))
    return kept.nanmean(dim=1)
