# right: weights by bmm, clamp as in sentence-transformers
import torch

def mean_pool(hidden_state, attention_mask):
    m = attention_mask.unsqueeze(-1).expand(hidden_state.size()).float()
    return torch.sum(hidden_state * m, 1) / torch.clamp(m.sum(1), min=1e-9)
