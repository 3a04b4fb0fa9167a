# wrong: what does not stay gets the logit -1e4: where all logits are far below that, it is drawn instead
# named: low_fill
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    z = logits / temperature
    if top_k is not None:
        keep = torch.zeros_like(z, dtype=torch.bool)
        keep.scatter_(-1, z.topk(min(top_k, z.size(-1))).indices, True)
        z = z.masked_fill(~keep, -1e4)
    if top_p is not None:
        p, order = z.softmax(-1).sort(-1, descending=True)
        cut = torch.zeros_like(z, dtype=torch.bool).scatter(-1, order, p.cumsum(-1) - p >= top_p)
        z = z.masked_fill(cut, -1e4)
    return torch.multinomial(z.softmax(-1), 1, generator=generator).squeeze(-1)
