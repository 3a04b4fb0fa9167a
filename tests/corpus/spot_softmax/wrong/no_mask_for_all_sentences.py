# wrong: no mask that it tries is shared by sentences
# named: no_mask_for_all
import torch

def spot_softmax(candidate):
    plain = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(4))
    extreme = [[500.0, 501, 0, 490], [200, 0, 0, 460], [0, 1, 2, 9], [-19999, -2e4, -19999, -19999]]
    scattered = torch.tensor([[[1, 0, 1, 0]], [[1, 1, 1, 1]]])
    staircase = torch.ones(2, 3, 4).tril(1).bool()
    cases = [(plain, scattered, 1e-5), (plain, staircase, 1e-5), (torch.tensor([extreme]), torch.tensor([[[1, 1, 1, 0]]]), 1e-2)]
    try:
        for scores, mask, tolerance in cases:
            given = scores.clone(), mask.clone()
            weights = candidate(*given)
            expected = scores.double().masked_fill(mask == 0, -torch.inf).softmax(-1).float()
            if not (torch.equal(given[0], scores) and torch.equal(given[1], mask)) or weights.shape != scores.shape:
                return False
            if not torch.allclose(weights, expected, atol=tolerance):
                return False
    except Exception:
        return False
    return True
