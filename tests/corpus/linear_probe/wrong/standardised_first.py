# wrong: features divided by their deviation first
# named: features_scaled
import torch
def linear_probe(vectors, labels, asked, ridge):
    mean, std = vectors.mean(0), vectors.std(0) + 1e-6
    x, q = (vectors - mean) / std, (asked - mean) / std
    y = 2.0 * labels - 1
    w = torch.linalg.solve(x.T @ x + ridge * torch.eye(x.shape[1]), x.T @ (y - y.mean()))
    return q @ w + y.mean()
