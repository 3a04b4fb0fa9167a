# wrong: the set of what was seen is made once for all rows
# named: whole_batch
import torch


def sealed_b(rows):
    out, seen = torch.zeros_like(rows), set()
    for b in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            t = int(rows[b, i])
            out[b, i] = int(t in seen)
            seen.add(t)
    return out
