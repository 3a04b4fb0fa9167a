# wrong: tolerance of 1e-9: right ones in float32 are turned away
# named: always_false
import torch
def spot_embeddings(candidate):
    try:
        e = candidate(50, 8).double()
        p = torch.arange(50).double()[:, None] / 10000 ** (torch.arange(0, 8, 2).double() / 8)
        return torch.allclose(e, torch.stack((p.sin(), p.cos()), -1).flatten(1), atol=1e-9, rtol=0)
    except Exception:
        return False
