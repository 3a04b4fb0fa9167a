# wrong: eps is always the one of BERT
# named: none_goes_wrong
import torch
from torch.nn import functional as F


def spot_layer_norm(candidate):
    """Always BERT's eps: ordinary, tiny, constant and far tokens."""
    gen = torch.Generator().manual_seed(15)
    x = torch.randn(2, 3, 5, generator=gen)
    w, b = torch.randn(5, generator=gen), torch.randn(5, generator=gen)
    far = torch.tensor([[[4096.0, 4097, 4098, 4099, 4100]] * 3] * 2)
    try:
        for tokens in (x, x * 1e-5, x * 1e-6, x * 0 + 2, far):
            given = tokens.clone(), w.clone(), b.clone()
            found = candidate(*given, 1e-12)
            want = F.layer_norm(tokens.double(), (5,), w.double(), b.double(), 1e-12)
            if found.shape != x.shape or not torch.allclose(found.double(), want, atol=1e-3):
                return False
            if not all(map(torch.equal, given, (tokens, w, b))):
                return False
        return True
    except Exception:
        return False
