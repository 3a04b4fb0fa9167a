# wrong: asked centred around its own mean
# named: asked_own_middle
import torch
def linear_probe(vectors, labels, asked, ridge):
    y = 2.0 * labels - 1
    x = vectors - vectors.mean(0, keepdim=True)
    w = torch.linalg.solve(x.T @ x + torch.eye(x.shape[1]) * ridge, x.T @ y)
    return (asked - asked.mean(0, keepdim=True)) @ w + y.mean()
