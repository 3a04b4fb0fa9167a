# wrong: up and down again
# named: second_group_descending
import torch


def sealed_c(rows):
    out = []
    for r in rows.tolist():
        up = sorted(t for t in r if t % 2 == 0)
        down = sorted((t for t in r if t % 2), reverse=True)
        out.append(up + down)
    return torch.tensor(out)
