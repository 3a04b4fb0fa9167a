# wrong: kept logits are put into zeros, and zeros are hidden: a logit of 0 never comes
import torch

def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z = logits / temperature
    if top_k is not None:
        best = z.topk(min(top_k, z.shape[-1]), dim=-1)
        z = torch.zeros_like(z).scatter(-1, best.indices, best.values)
        z = z.masked_fill(z == 0, -torch.inf)
    if top_p is not None:
        p, order = z.softmax(-1).sort(-1, descending=True)
        p = p.masked_fill(p.cumsum(-1) - p >= top_p, 0)
        z = torch.zeros_like(p).scatter(-1, order, p).log()
    return torch.multinomial(z.softmax(-1), 1, generator=generator)[:, 0]
