# wrong: a slice of as many vectors as there are ones: padding must stand last
# named: first_ones
import torch

def mean_pool(hidden_state, attention_mask):
    lengths = attention_mask.sum(1)
    return torch.stack([h[: int(n)].mean(0) for h, n in zip(hidden_state, lengths)])
