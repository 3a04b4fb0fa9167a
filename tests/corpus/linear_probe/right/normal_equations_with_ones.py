# right: normal equations of a widened matrix, the last diagonal entry without ridge
import torch

def linear_probe(vectors, labels, asked, ridge):
    ones = torch.ones(vectors.size(0), 1)
    X = torch.hstack((vectors, ones))
    t = torch.where(labels == 1, 1.0, -1.0)
    penalty = torch.full((X.size(1),), float(ridge))
    penalty[-1] = 0
    theta = torch.linalg.solve(X.T.matmul(X) + torch.diag(penalty), X.T.matmul(t))
    return torch.hstack((asked, torch.ones(asked.size(0), 1))).matmul(theta)
