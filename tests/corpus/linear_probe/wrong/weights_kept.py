# wrong: the first fit is kept for all later calls of the same shape
# named: earlier_call_counts
import torch
_fits = {}
def linear_probe(vectors, labels, asked, ridge):
    key = tuple(vectors.shape)
    if key not in _fits:
        y = 2.0 * labels - 1
        m = vectors.mean(0)
        x = vectors - m
        _fits[key] = m, torch.linalg.solve(x.T @ x + ridge * torch.eye(x.shape[1]), x.T @ (y - y.mean())), y.mean()
    m, w, b = _fits[key]
    return (asked - m) @ w + b
