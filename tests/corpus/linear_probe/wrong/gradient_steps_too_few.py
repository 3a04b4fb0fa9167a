# wrong: a hundred steps of gradient descent
import torch
def linear_probe(vectors, labels, asked, ridge):
    w = torch.zeros(vectors.shape[1]); b = torch.zeros(())
    y = 2.0 * labels - 1
    for _ in range(100):
        e = vectors @ w + b - y
        w = w - 0.001 * (vectors.T @ e + ridge * w)
        b = b - 0.001 * e.sum()
    return asked @ w + b
