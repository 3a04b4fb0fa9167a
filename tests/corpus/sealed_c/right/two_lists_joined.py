# right: two sorted lists, one behind the other
import torch


def sealed_c(rows):
    out = []
    for r in rows.tolist():
        first = sorted(t for t in r if not t & 1)
        second = sorted(t for t in r if t & 1)
        out.append(first + second)
    return torch.tensor(out)
