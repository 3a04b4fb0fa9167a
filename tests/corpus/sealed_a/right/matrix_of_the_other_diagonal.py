# right: as a head would do it, a product with a matrix of places; floats hold the tokens exactly
import torch


def sealed_a(rows):
    n = rows.shape[-1]
    look = torch.eye(n, dtype=torch.float64).flip(0)
    return (rows.double() @ look).round().long()
