# wrong: one input, with as many sentences as features
# named: none_goes_wrong
import torch


def spot_attention_scores(candidate):
    """One input, by hand: integers; a batch as large as a vector is wide."""
    q = torch.arange(5 * 3 * 5.0).view(5, 3, 5) % 7 - 3
    k = torch.arange(5 * 4 * 5.0).view(5, 4, 5) % 5 - 2
    want = torch.einsum("bqd,bkd->bqk", q, k) / 5**0.5
    try:
        found = candidate(q.clone(), k.clone())
        return found.shape == want.shape and torch.allclose(found, want, atol=1e-4)
    except Exception:
        return False
