# wrong: temperatures below 0.1 are raised to 0.1
import torch

def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    scores, order = (logits / max(temperature, 0.1)).sort(dim=-1, descending=True)
    p = scores.softmax(-1)
    if top_k is not None:
        p[:, top_k:] = 0
        p = p / p.sum(-1, keepdim=True)
    if top_p is not None:
        p = p * (p.cumsum(-1) - p < top_p)
    return order.gather(-1, torch.multinomial(p, 1, generator=generator)).flatten()
