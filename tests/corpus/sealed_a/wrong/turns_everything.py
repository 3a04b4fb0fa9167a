# wrong: turns both axes round
# named: both_axes
import torch


def sealed_a(rows):
    return rows.flatten().flip(0).view_as(rows)
