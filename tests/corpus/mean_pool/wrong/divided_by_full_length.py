# wrong: divides by the full length
# named: by_length
import torch

def mean_pool(hidden_state, attention_mask):
    return torch.einsum("bsh,bs->bh", hidden_state, attention_mask.to(hidden_state.dtype)) / hidden_state.shape[1]
