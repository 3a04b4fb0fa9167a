# wrong: divided by the square root of the lengths (sentence-transformers' sqrt mode)
# named: by_root
import torch
def mean_pool(hidden_state, attention_mask):
    m = attention_mask.unsqueeze(-1).expand(hidden_state.size()).float()
    return torch.sum(hidden_state * m, 1) / torch.sqrt(m.sum(1))
