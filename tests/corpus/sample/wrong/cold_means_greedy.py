# wrong: below a temperature of 0.1 the largest is taken
import torch

def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    if temperature < 0.1:
        return logits.argmax(-1)
    z, order = (logits / temperature).sort(-1, descending=True)
    p = z.softmax(-1)
    if top_k is not None:
        p[:, top_k:] = 0
        p = p / p.sum(-1, keepdim=True)
    if top_p is not None:
        p = p.masked_fill(p.cumsum(-1) - p >= top_p, 0)
    return order.gather(-1, torch.multinomial(p, 1, generator=generator)).squeeze(-1)
