# right: counts in double and inverts
import torch
def linear_probe(vectors, labels, asked, ridge):
    X = vectors.double()
    y = (2 * labels - 1).double()
    mu = X.mean(0)
    Xc = X - mu
    W = torch.inverse(Xc.t() @ Xc + ridge * torch.eye(X.shape[1], dtype=torch.double)) @ Xc.t() @ y
    b = y.mean() - mu @ W
    return (asked.double() @ W + b).float()
