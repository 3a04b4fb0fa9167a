# wrong: asked is not centred
# named: asked_not_centred
import torch
def linear_probe(vectors, labels, asked, ridge):
    y = 2.0 * labels - 1
    x = vectors - vectors.mean(0)
    w = torch.linalg.inv(x.T @ x + ridge * torch.eye(x.size(1))) @ x.T @ (y - y.mean())
    return asked @ w + y.mean()
