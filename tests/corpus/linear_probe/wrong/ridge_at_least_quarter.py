# wrong: a ridge below a quarter becomes a quarter
import torch
from torch import nn

def linear_probe(vectors, labels, asked, ridge):
    goals = (2 * labels - 1).to(vectors.dtype)
    middle, bias = vectors.mean(0), goals.mean()
    x = vectors - middle
    inner = x.T @ x + max(ridge, 0.25) * torch.eye(x.shape[1])
    weight = torch.linalg.solve(inner, x.T @ (goals - bias))
    return (asked - middle) @ weight + bias
