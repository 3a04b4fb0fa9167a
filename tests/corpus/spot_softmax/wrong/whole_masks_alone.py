# wrong: each mask has the shape of the scores
# named: whole_masks
import torch
def spot_softmax(candidate):
    generator = torch.Generator().manual_seed(0)
    plain = torch.randn(2, 3, 4, generator=generator)
    wide = plain * 5
    far = torch.tensor([[[600.0, 601, 599, 590], [0, 1, 2, 3], [-700, -699, -702, -700]], [[300, 0, 1, 900], [1, 2, 0, 700], [-19990, -19991, -19992, 3]]])
    one = torch.tensor([[[1, 1, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0]], [[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 1, 0]]])
    masks = [one, one.bool()]
    try:
        for scores in (plain, wide, far):
            for mask in masks:
                given = scores.clone(), mask.clone()
                found = candidate(*given)
                if not (torch.equal(given[0], scores) and torch.equal(given[1], mask)):
                    return False
                right = scores.masked_fill(mask == 0, float("-inf")).softmax(-1)
                if found.shape != right.shape or not torch.allclose(found, right, atol=1e-3):
                    return False
        return True
    except Exception:
        return False
