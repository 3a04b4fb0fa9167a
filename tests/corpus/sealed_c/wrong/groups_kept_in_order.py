# wrong: two groups, each in the order of the row
# named: as_they_stand
import torch


def sealed_c(rows):
    out = []
    for r in rows.tolist():
        out.append([t for t in r if t % 2 == 0] + [t for t in r if t % 2 == 1])
    return torch.tensor(out)
