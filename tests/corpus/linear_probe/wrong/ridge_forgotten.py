# wrong: plain lstsq
# named: no_ridge
import torch
def linear_probe(vectors, labels, asked, ridge):
    X = torch.hstack([vectors, torch.ones(len(vectors), 1)])
    w = torch.linalg.lstsq(X, (2.0 * labels - 1).unsqueeze(1)).solution[:, 0]
    return asked @ w[:-1] + w[-1]
