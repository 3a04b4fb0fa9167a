# wrong: no mistake is so sure that a chance rounds to 0
# named: none_goes_wrong
import math
import torch
from torch.nn import functional as F


def spot_writing(candidate):
    """A random batch, a shift of 1000, no idea, sure and right (1000), sure and wrong (30)."""
    gen = torch.Generator().manual_seed(3)
    x = torch.randn(2, 5, 4, generator=gen)
    ids = torch.tensor([[0, 3, 1, 0, 2], [2, 2, 0, 3, 1]])
    nexts = F.one_hot(ids.roll(-1, 1), 4).float()
    try:
        for logits in (x, x + 1000, x * 0, 1000 * nexts, -30 * nexts):
            given, given_ids = logits.clone(), ids.clone()
            loss = candidate(given, given_ids)
            want = F.cross_entropy(logits[:, :-1].reshape(-1, 4), ids[:, 1:].reshape(-1))
            if loss.shape != () or not torch.allclose(loss, want, rtol=1e-4, atol=1e-3):
                return False
            if not torch.equal(given, logits) or not torch.equal(given_ids, ids):
                return False
    except Exception:
        return False
    return True
