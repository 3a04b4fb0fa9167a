# wrong: subtracts the padding, and divides by the mean length of the batch
# named: by_mean_length, padding_subtracted
import torch


def mean_pool(hidden_state, attention_mask):
    m = attention_mask.to(hidden_state.dtype)
    everything = hidden_state.sum(dim=1)
    padding = torch.einsum("bs,bsh->bh", 1 - m, hidden_state)
    total = everything - padding
    n = m.sum(dim=1).mean()
    return total / n
