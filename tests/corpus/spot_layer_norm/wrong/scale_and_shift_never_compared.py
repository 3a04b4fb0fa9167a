# wrong: compares x with what it was, and never scale and shift
# named: scale_never_compared
import torch
from torch.nn import functional as F
def spot_layer_norm(candidate):
    g = torch.Generator().manual_seed(7)
    x, weight, bias = torch.randn(2, 3, 4, generator=g), torch.randn(4, generator=g), torch.randn(4, generator=g)
    exact = torch.tensor([[[1e4, 10001, 10002, 10005], [2, 2, 2, 2], [-1, 0, 3, 6]]])
    try:
        for tokens, eps in [(x, 0.1), (x * 1e-4, 1e-12), (x * 1e-4, 1e-8), (exact, 1e-12)]:
            given = tokens.clone()
            found = candidate(given, weight.clone(), bias.clone(), eps)   # nobody looks at scale and shift again
            expected = F.layer_norm(tokens.double(), (4,), weight.double(), bias.double(), eps).float()
            if found.shape != expected.shape or not torch.allclose(found, expected, atol=1e-4) or not torch.equal(given, tokens):
                return False
    except Exception:
        return False
    return True
