# wrong: scores of −1000 to 1500, so a fill of −10000 is low enough wherever it is tried
# named: no_low_score, no_mask_for_all
import torch
def spot_softmax(candidate):
    def right(scores, mask):
        return scores.masked_fill(mask == 0, -torch.inf).softmax(-1)
    g = torch.Generator().manual_seed(0)
    scores = torch.randn(2, 3, 5, generator=g)
    each = torch.tensor([[[1, 0, 1, 1, 0], [0, 1, 0, 1, 1], [1, 1, 0, 0, 1]], [[1, 1, 1, 0, 0], [0, 0, 1, 0, 1], [1, 0, 0, 0, 0]]])
    row = torch.tensor([[[1, 0, 1, 0, 1]], [[0, 1, 1, 1, 0]]])
    big = scores.clone(); big[:, 0] += 1000; big[:, 1] -= 1000; big = big + (each == 0) * 1500.0
    try:
        for s in (scores, big):
            for mask in (each, row, each.bool(), row.bool()):
                a, b = s.clone(), mask.clone()
                found = candidate(a, b)
                if found.shape != s.shape or not torch.allclose(found, right(s, mask), atol=1e-3):
                    return False
                if not (torch.equal(a, s) and torch.equal(b, mask)):
                    return False
    except Exception:
        return False
    return True
