# right: row by row with multinomial
import torch
import torch.nn.functional as F


def sample(logits, generator, temperature=1.0, top_k=None, top_p=None):
    out = []
    for row in logits:
        row = row / temperature
        order = torch.argsort(row, descending=True)
        if top_k is not None:
            order = order[:top_k]
        chances = torch.softmax(row[order], 0)
        if top_p is not None:
            n = int((chances.cumsum(0) < top_p).sum()) + 1
            order, chances = order[:n], chances[:n]
        out.append(order[torch.multinomial(chances, 1, generator=generator)])
    return torch.cat(out)
