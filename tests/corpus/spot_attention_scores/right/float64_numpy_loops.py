# right: against float64 numpy loops
import numpy as np
import torch

def spot_attention_scores(candidate):
    try:
        for b, q, k, d in ((2, 3, 4, 5), (1, 4, 2, 7), (3, 2, 2, 1)):
            torch.manual_seed(b)
            x, y = torch.randn(b, q, d), torch.randn(b, k, d)
            want = np.zeros((b, q, k))
            for i in range(b):
                want[i] = x[i].double().numpy() @ y[i].double().numpy().T / np.sqrt(d)
            got = candidate(x.clone(), y.clone())
            if tuple(got.shape) != want.shape or not np.abs(got.detach().numpy() - want).max() < 1e-4:
                return False
    except Exception:
        return False
    return True
