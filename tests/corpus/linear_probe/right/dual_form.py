# right: solves in the space of words, not of features
import torch
def linear_probe(vectors, labels, asked, ridge):
    y = labels * 2.0 - 1.0
    m = vectors.mean(dim=0, keepdim=True)
    k = (vectors - m) @ (vectors - m).T
    alpha = torch.linalg.solve(k + ridge * torch.eye(len(k)), y - y.mean())
    return (asked - m) @ (vectors - m).T @ alpha + y.mean()
