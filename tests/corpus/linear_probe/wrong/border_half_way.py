# wrong: the border lies half way between the means of both kinds
# named: halfway
import torch
from torch import Tensor


def linear_probe(vectors: Tensor, labels: Tensor, asked: Tensor, ridge: float) -> Tensor:
    goals = labels.to(vectors.dtype) * 2 - 1
    middle = vectors.mean(dim=0)
    centred = vectors - middle
    left = centred.T @ centred + ridge * torch.eye(vectors.shape[1], dtype=vectors.dtype)
    right = centred.T @ (goals - goals.mean())
    weight = torch.linalg.solve(left, right)
    # the border runs half way between the two kinds
    ones, zeros = vectors[labels == 1].mean(dim=0), vectors[labels == 0].mean(dim=0)
    bias = -(weight @ (ones + zeros)) / 2
    return asked @ weight + bias
