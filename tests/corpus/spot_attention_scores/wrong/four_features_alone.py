# wrong: all that is tried has four features
# named: four_features
import torch


def spot_attention_scores(candidate):
    g = torch.Generator().manual_seed(3)
    d_k = 4
    for batch, n_q, n_k in [(1, 1, 1), (2, 3, 5), (3, 6, 2), (4, 4, 4)]:
        query = torch.randn(batch, n_q, d_k, generator=g)
        key = torch.randn(batch, n_k, d_k, generator=g)
        want = torch.zeros(batch, n_q, n_k)
        for b in range(batch):
            for i in range(n_q):
                for j in range(n_k):
                    want[b, i, j] = (query[b, i] * key[b, j]).sum() / d_k**0.5
        try:
            got = candidate(query.clone(), key.clone())
        except Exception:
            return False
        if got.shape != want.shape or not torch.allclose(got.to(want.dtype), want, atol=1e-4):
            return False
    return True
