# wrong: excludes [CLS] and the last real token as special
import torch
def mean_pool(hidden_state, attention_mask):
    out = []
    for h, m in zip(hidden_state, attention_mask.bool()):
        real = h[m]
        out.append(real[1:-1].mean(0) if len(real) > 2 else real.mean(0))
    return torch.stack(out)
