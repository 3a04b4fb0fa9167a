# right: through the singular values
import torch
from torch import Tensor

def linear_probe(vectors: Tensor, labels: Tensor, asked: Tensor, ridge: float) -> Tensor:
    goal = torch.tensor([-1.0, 1.0])[labels]
    center = vectors.mean(0)
    U, S, Vh = torch.linalg.svd(vectors - center, full_matrices=False)
    shrunk = S / (S**2 + ridge)
    weight = Vh.T @ (shrunk * (U.T @ (goal - goal.mean())))
    return (asked - center) @ weight + goal.mean()
