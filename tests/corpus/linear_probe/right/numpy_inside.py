# right: in NumPy, back to a tensor
import numpy as np
import torch

def linear_probe(vectors, labels, asked, ridge):
    X, y, A = vectors.numpy().astype(float), labels.numpy() * 2.0 - 1, asked.numpy().astype(float)
    c = X.mean(axis=0)
    w = np.linalg.solve((X - c).T @ (X - c) + ridge * np.eye(X.shape[1]), (X - c).T @ (y - y.mean()))
    return torch.from_numpy((A - c) @ w + y.mean()).float()
