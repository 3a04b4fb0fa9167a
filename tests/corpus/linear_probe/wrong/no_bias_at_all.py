# wrong: no bias anywhere
# named: no_bias
import torch
def linear_probe(vectors, labels, asked, ridge):
    y = labels * 2.0 - 1
    w = torch.linalg.solve(vectors.T @ vectors + ridge * torch.eye(vectors.shape[1]), vectors.T @ y)
    return asked @ w
