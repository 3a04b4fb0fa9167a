# wrong: d_k is 64, as in the paper, and nothing else
# named: d_k_64
import torch
def spot_attention_scores(candidate):
    """As in the paper: d_k = 64."""
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 5, 64, generator=generator), torch.randn(2, 7, 64, generator=generator)
    try:
        found = candidate(q.clone(), k.clone()).float()
        right = torch.einsum("bqd,bkd->bqk", q, k) / 8
        return found.shape == right.shape and torch.allclose(found, right, atol=1e-3)
    except Exception:
        return False
