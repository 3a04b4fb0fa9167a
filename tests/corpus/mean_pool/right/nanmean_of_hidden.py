# right: nanmean over hidden tokens as nan
import torch
def mean_pool(hidden_state, attention_mask):
    hide = (attention_mask == 0).unsqueeze(2)
    return hidden_state.masked_fill(hide, float("nan")).nanmean(dim=1)
