# wrong: four heads, and no other number
# named: four_heads
import torch
def spot_multi_head_attention(candidate):
    x = torch.arange(2 * 3 * 12.0).view(2, 3, 12)
    try:
        found = candidate(x.clone(), 4)
        return found.shape == (2, 4, 3, 3) and all(torch.equal(found[:, h], x[..., 3 * h : 3 * h + 3]) for h in range(4))
    except Exception:
        return False
