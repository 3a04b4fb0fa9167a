# wrong: turns the batch round, not the rows
# named: rows_exchanged
import torch


def sealed_a(rows):
    return torch.flipud(rows)
