# right: element by element against the definition
import torch
def spot_multi_head_attention(candidate):
    for b, s, h, d in ((2, 3, 4, 5), (1, 6, 2, 3), (3, 5, 7, 2)):
        x = torch.randperm(b * s * h * d).float().reshape(b, s, h * d)
        before = x.clone()
        try:
            y = candidate(x, h)
            assert tuple(y.shape) == (b, h, s, d)
            for i in range(b):
                for j in range(h):
                    assert torch.equal(y[i, j], before[i, :, j * d : (j + 1) * d])
        except Exception:
            return False
    return True
