# wrong: the network is as wide inside as outside
# named: none_goes_wrong
import torch
from torch.nn import functional as F


def spot_feed_forward(candidate):
    """One random network, as wide inside as outside."""
    gen = torch.Generator().manual_seed(11)
    args = [torch.randn(s, generator=gen) for s in ((2, 3, 4), (4, 4), (4,), (4, 4), (4,))]
    x, w, b, u, c = args
    want = F.linear(F.gelu(F.linear(x, w, b)), u, c)
    given = [a.clone() for a in args]
    try:
        found = candidate(*given)
        same = all(torch.equal(a, g) for a, g in zip(args, given))
        return same and found.shape == want.shape and torch.allclose(found, want, atol=1e-5)
    except Exception:
        return False
