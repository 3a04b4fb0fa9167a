# wrong: later copies count as well
# named: elsewhere
import torch


def sealed_b(rows):
    count = (rows[:, :, None] == rows[:, None, :]).sum(2)
    return (count > 1).long()
