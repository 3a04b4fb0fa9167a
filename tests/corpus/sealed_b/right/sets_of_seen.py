# right: walks along each row with a set of what it has seen
import torch


def sealed_b(rows):
    out = torch.zeros_like(rows)
    for b in range(rows.shape[0]):
        seen = set()
        for i in range(rows.shape[1]):
            t = int(rows[b, i])
            out[b, i] = 1 if t in seen else 0
            seen.add(t)
    return out
