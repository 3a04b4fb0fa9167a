# wrong: eps is 1, which is its own square, or too small to count
# named: eps_1
import torch
def spot_layer_norm(candidate):
    g = torch.Generator().manual_seed(3)
    w, b = torch.randn(6, generator=g), torch.randn(6, generator=g)
    x = torch.randn(3, 4, 6, generator=g); x[0, 1] = 2.0; x[1, 2] = 0
    try:
        for tokens, eps in ((x, 1.0), (x * 1e-3, 1e-12), (x + 1000, 1.0)):
            given = tokens.clone(), w.clone(), b.clone()
            found = candidate(*given, eps)
            right = torch.nn.functional.layer_norm(tokens.double(), (6,), w.double(), b.double(), eps)
            if found.shape != tokens.shape or not torch.allclose(found.double(), right, atol=2e-3):
                return False
            if not all(map(torch.equal, given, (tokens, w, b))):
                return False
    except Exception:
        return False
    return True
