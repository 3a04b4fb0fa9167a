# right: float64 numpy reference over several masks and scales
import numpy as np, torch
def spot_softmax(candidate):
    def want(s, m):
        s, m = s.double().numpy(), np.broadcast_to(m.numpy().astype(bool), s.shape)
        out = np.zeros_like(s)
        for i in np.ndindex(s.shape[:-1]):
            z = s[i][m[i]]
            e = np.exp(z - z.max())
            out[i][m[i]] = e / e.sum()
        return torch.from_numpy(out)
    g = torch.Generator().manual_seed(5)
    def keep(*shape):
        m = torch.rand(shape, generator=g) > 0.4
        m[..., 0] = True
        return m
    trials = []
    for scale, off in ((1, 0), (30, 0), (1, 2e4), (1, -2e4), (300, 0)):
        s = torch.randn(3, 4, 6, generator=g) * scale + off
        for m in (keep(3, 1, 6), keep(3, 4, 6), keep(1, 4, 6)):
            trials += [(s, m), (s, m.long())]
    mixed = torch.tensor([[[900.0, 0, 1], [-900, -901, -899], [0, 1, 2]]])
    trials.append((mixed, torch.tensor([[[1, 1, 0]]])))
    for s, m in trials:
        a, b = s.clone(), m.clone()
        try:
            w = candidate(a, b)
            if w.shape != s.shape or not torch.allclose(w.double(), want(s, m), atol=5e-3 if s.abs().max() > 1e3 else 1e-4):
                return False
            if not torch.equal(a, s) or not torch.equal(b, m):
                return False
        except Exception:
            return False
    return True
