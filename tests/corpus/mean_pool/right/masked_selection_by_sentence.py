# right: masked selection sentence by sentence
import torch

def mean_pool(hidden_state, attention_mask):
    return torch.stack([h[m.bool()].mean(0) for h, m in zip(hidden_state, attention_mask)])
