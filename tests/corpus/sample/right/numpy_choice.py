# right: numpy draws, seeded from the torch generator
import numpy as np
import torch


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    rng = np.random.default_rng(int(torch.randint(2**62, (), generator=generator)))
    x = logits.detach().double().numpy() / temperature
    drawn = []
    for row in x:
        order = np.argsort(-row, kind="stable")[:top_k]
        e = np.exp(row[order] - row[order[0]])
        p = e / e.sum()
        if top_p is not None:
            n = min(int(np.searchsorted(np.cumsum(p), top_p)) + 1, len(p))
            order, p = order[:n], p[:n] / p[:n].sum()
        drawn.append(rng.choice(order, p=p))
    return torch.tensor(np.array(drawn), dtype=torch.long)
