# wrong: compares each query with the key at its own place alone
import torch


def spot_attention_scores(candidate):
    """Only the diagonal is compared, and the shape."""
    gen = torch.Generator().manual_seed(6)
    try:
        for b, n, m, d in ((2, 3, 5, 7), (3, 4, 4, 6), (2, 6, 2, 3)):
            q, k = torch.randn(b, n, d, generator=gen), torch.randn(b, m, d, generator=gen)
            found = candidate(q.clone(), k.clone())
            if found.shape != (b, n, m):
                return False
            r = min(n, m)
            want = (q[:, :r] * k[:, :r]).sum(-1) / d**0.5
            if not torch.allclose(found.diagonal(dim1=1, dim2=2), want, atol=1e-4):
                return False
    except Exception:
        return False
    return True
