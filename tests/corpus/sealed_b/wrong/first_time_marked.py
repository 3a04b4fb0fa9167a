# wrong: 1 where it is new
# named: exchanged
import torch


def sealed_b(rows):
    columns = [(rows[:, :i] != rows[:, i : i + 1]).all(1) for i in range(rows.shape[1])]
    return torch.stack(columns, 1).long()
