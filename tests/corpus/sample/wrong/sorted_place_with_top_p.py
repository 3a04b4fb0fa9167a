# wrong: with top_p the place in the sorted row comes back
# named: ranks_with_p
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    logits = logits / temperature
    if top_k is not None and top_k < logits.size(-1):
        lost = logits.argsort(-1, descending=True)[:, top_k:]
        logits = logits.scatter(-1, lost, -torch.inf)
    p = torch.softmax(logits, -1)
    if top_p is not None:
        p = p.sort(-1, descending=True)[0]
        p = p * (p.cumsum(-1) - p < top_p)
    return torch.multinomial(p, 1, generator=generator)[:, 0]
