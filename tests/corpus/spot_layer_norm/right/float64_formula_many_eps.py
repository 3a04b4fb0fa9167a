# right: float64 formula, many eps and offsets
import torch
def spot_layer_norm(candidate):
    g = torch.Generator().manual_seed(2)
    w, b = torch.randn(8, generator=g), torch.randn(8, generator=g)
    base = torch.randn(3, 2, 8, generator=g)
    cases = [(base, 1e-5), (base, 0.5), (base * 1e-3, 1e-6), (base * 1e-4, 1e-12), (base + 1000, 1e-12), (torch.full((1, 2, 8), 3.0), 1e-12)]
    for x, eps in cases:
        d = x.double()
        c = d - d.mean(-1, keepdim=True)
        want = c / (c.pow(2).mean(-1, keepdim=True) + eps).sqrt() * w.double() + b.double()
        x0, w0, b0 = x.clone(), w.clone(), b.clone()
        try:
            got = candidate(x0, w0, b0, eps)
            if got.shape != x.shape or not torch.allclose(got.double(), want, atol=5e-3):
                return False
            if not (torch.equal(x0, x) and torch.equal(w0, w) and torch.equal(b0, b)):
                return False
        except Exception:
            return False
    return True
