# wrong: subtracts the mean from the caller's vectors
# named: changes_its_input
import torch
def linear_probe(vectors, labels, asked, ridge):
    y = 2.0 * labels - 1
    m = vectors.mean(0)
    vectors -= m
    w = torch.linalg.solve(vectors.T @ vectors + ridge * torch.eye(len(m)), vectors.T @ (y - y.mean()))
    return (asked - m) @ w + y.mean()
