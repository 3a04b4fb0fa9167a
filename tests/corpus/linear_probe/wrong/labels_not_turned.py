# wrong: fits 0 and 1
# named: labels_as_goals
import torch
def linear_probe(vectors, labels, asked, ridge):
    y = labels.float()
    m = vectors.mean(0)
    x = vectors - m
    w = torch.linalg.solve(x.T @ x + ridge * torch.eye(x.shape[1]), x.T @ (y - y.mean()))
    return (asked - m) @ w + y.mean()
