# right: loops over tokens with math.erf
import math, torch
def spot_feed_forward(candidate):
    g = torch.Generator().manual_seed(1)
    x = torch.randn(2, 3, 4, generator=g) * 2
    w1, b1, w2, b2 = (torch.randn(s, generator=g) for s in ((6, 4), (6,), (4, 6), (4,)))
    keep = [t.clone() for t in (x, w1, b1, w2, b2)]
    want = torch.empty(2, 3, 4, dtype=torch.float64)
    for i in range(2):
        for j in range(3):
            h = [sum(float(w1[k, c]) * float(x[i, j, c]) for c in range(4)) + float(b1[k]) for k in range(6)]
            h = [v * 0.5 * (1 + math.erf(v / math.sqrt(2))) for v in h]
            for c in range(4):
                want[i, j, c] = sum(float(w2[c, k]) * h[k] for k in range(6)) + float(b2[c])
    try:
        got = candidate(x, w1, b1, w2, b2)
        same = all(torch.equal(a, b) for a, b in zip((x, w1, b1, w2, b2), keep))
        return same and got.shape == (2, 3, 4) and bool((got.double() - want).abs().max() < 1e-4)
    except Exception:
        return False
