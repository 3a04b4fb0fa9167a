# wrong: d_k of 4 and 16 alone: a root that is cut to a whole number gets through
# named: square_widths
import torch


def spot_attention_scores(candidate):
    rng = torch.Generator().manual_seed(2)
    for d_k, root in ((4, 2), (16, 4)):
        q, k = torch.randn(2, 3, d_k, generator=rng), torch.randn(2, 5, d_k, generator=rng)
        try:
            got = candidate(q.clone(), k.clone())
        except Exception:
            return False
        if got.shape != (2, 3, 5) or not torch.allclose(got, torch.einsum("bqd,bkd->bqk", q, k) / root, atol=1e-4):
            return False
    return True
