# wrong: tests with one head only
# named: none_goes_wrong
import torch
def spot_multi_head_attention(candidate):
    x = torch.randn(2, 3, 8)
    try:
        return torch.equal(candidate(x, 1), x.unsqueeze(1))
    except Exception:
        return False
