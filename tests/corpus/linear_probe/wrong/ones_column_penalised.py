# wrong: a column of ones whose weight costs like the others
# named: bias_penalised
import torch
def linear_probe(vectors, labels, asked, ridge):
    X = torch.cat([vectors, torch.ones(len(vectors), 1)], 1)
    Q = torch.cat([asked, torch.ones(len(asked), 1)], 1)
    t = 2.0 * labels - 1
    return Q @ torch.linalg.solve(X.T @ X + ridge * torch.eye(X.shape[1]), X.T @ t)
