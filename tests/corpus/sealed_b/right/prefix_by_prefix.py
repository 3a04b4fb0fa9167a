# right: one place after the other, compared with all in front of it
import torch


def sealed_b(rows):
    columns = [(rows[:, :i] == rows[:, i : i + 1]).any(1) for i in range(rows.shape[1])]
    return torch.stack(columns, 1).long()
