# wrong: the course's two masks, padding on the right and the staircase: each query sees the first keys
# named: prefixes_alone, no_mask_for_all
import torch
def right(scores, mask):
    return scores.masked_fill(mask == 0, -torch.inf).softmax(-1)
def spot_softmax(candidate):
    scores = torch.randn(2, 4, 4, generator=torch.Generator().manual_seed(0)) * 3
    padding = torch.tensor([[[1, 1, 0, 0]], [[1, 1, 1, 0]]])
    causal = torch.ones(2, 4, 4).tril().bool()
    loud = scores.clone(); loud[:, 0] += 600; loud[:, 2, 3] = 900; loud[:, 1] -= 15000
    try:
        for mask in (padding, padding.bool(), causal, causal.long()):
            for s in (scores, loud):
                a, b = s.clone(), mask.clone()
                found = candidate(a, b)
                if found.shape != s.shape or not torch.allclose(found, right(s, mask), atol=1e-2 if s is loud else 1e-4):
                    return False
                if not (torch.equal(a, s) and torch.equal(b, mask)):
                    return False
    except Exception:
        return False
    return True
