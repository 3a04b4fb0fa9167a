# wrong: detached by numpy
# named: gradient_stopped
import numpy as np, torch
def softmax(x, dim):
    a = x.detach().numpy()
    e = np.exp(a - a.max(axis=dim, keepdims=True))
    return torch.from_numpy(e / e.sum(axis=dim, keepdims=True))
