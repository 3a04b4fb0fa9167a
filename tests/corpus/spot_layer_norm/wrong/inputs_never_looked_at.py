# wrong: whether the candidate changes what it is given is not looked at
# named: never_compared
import math
import statistics

import torch


def right(x, weight, bias, eps):
    rows = []
    for row in x.reshape(-1, x.shape[-1]).tolist():
        m, v = statistics.fmean(row), statistics.pvariance(row)
        rows.append([w * (n - m) / math.sqrt(v + eps) + b for n, w, b in zip(row, weight.tolist(), bias.tolist())])
    return torch.tensor(rows).view(x.shape)


def spot_layer_norm(candidate):
    gen = torch.Generator().manual_seed(1)
    x = torch.randn(3, 2, 4, generator=gen)
    w, b = torch.randn(4, generator=gen), torch.randn(4, generator=gen)
    far = torch.tensor([[[20000.0, 20003, 20001, 20006], [5, 5, 5, 5]]])
    try:
        for tokens, eps in ((x, 1e-12), (x, 0.3), (x * 1e-4, 1e-8), (x * 1e-5, 1e-12), (far, 1e-12), (x + 3, 1e-5)):
            t, u, v = tokens.clone(), w.clone(), b.clone()
            y = candidate(t, u, v, eps)
            if y.shape != tokens.shape or (y - right(tokens, w, b, eps)).abs().max().item() >= 1e-3:
                return False
            if not torch.isfinite(y).all():
                return False
    except Exception:
        return False
    return True
