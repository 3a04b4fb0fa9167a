# wrong: the numbers of each bias are all alike
# named: first_bias_alike
import torch
from torch.nn import functional as F
def spot_feed_forward(candidate):
    """All biases alike, one hundred."""
    generator = torch.Generator().manual_seed(0)
    x, w, u = torch.randn(2, 3, 4, generator=generator), torch.randn(6, 4, generator=generator), torch.randn(4, 6, generator=generator)
    b, c = torch.full((6,), 0.5), torch.full((4,), -1.0)
    try:
        given = [t.clone() for t in (x, w, b, u, c)]
        found = candidate(*given)
        right = F.linear(F.gelu(F.linear(x, w, b)), u, c)
        return all(map(torch.equal, given, (x, w, b, u, c))) and found.shape == right.shape and torch.allclose(found.float(), right, atol=1e-5)
    except Exception:
        return False
