# wrong: the mean of the squared errors plus the ridge
# named: mean_of_errors
import torch
def linear_probe(vectors, labels, asked, ridge):
    n, h = vectors.shape
    mu = vectors.mean(0)
    y = labels.mul(2.0).sub(1.0)
    xc = vectors - mu
    w = torch.linalg.solve(xc.T @ xc / n + ridge * torch.eye(h), xc.T @ (y - y.mean()) / n)
    return (asked - mu) @ w + y.mean()
