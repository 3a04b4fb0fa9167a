# wrong: gives back the sign
# named: signs
import torch
def linear_probe(vectors, labels, asked, ridge):
    y = 2.0 * labels - 1
    m = vectors.mean(0)
    x = vectors - m
    w = torch.linalg.solve(x.T @ x + ridge * torch.eye(x.shape[1]), x.T @ (y - y.mean()))
    return torch.sign((asked - m) @ w + y.mean())
