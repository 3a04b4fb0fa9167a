# wrong: tries masks of integers, and never one of True and False
# named: no_bools, no_hidden_above, prefixes_alone, no_mask_for_all
import torch
def spot_softmax(candidate):
    plain = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(4))
    extreme = [[500.0, 501, 0, 490], [200, 0, 0, 260], [0, 1, 2, 9], [-19999, -2e4, -19999, -19999]]
    cases = [(plain, torch.tensor([[[1, 1, 0, 0]], [[1, 1, 1, 1]]]), 1e-5), (plain, torch.ones(2, 3, 4).tril(1).long(), 1e-5),
             (torch.tensor([extreme]), torch.tensor([[[1, 1, 1, 0]]]), 1e-2)]   # integers alone
    try:
        for scores, mask, tolerance in cases:
            given, given_mask = scores.clone(), mask.clone()
            weights = candidate(given, given_mask)
            if not (torch.equal(given, scores) and torch.equal(given_mask, mask)):
                return False
            seen = scores.masked_fill((mask == 0).expand_as(scores), -torch.inf)
            if weights.shape != scores.shape or not torch.allclose(weights, seen.softmax(-1), atol=tolerance):
                return False
    except Exception:
        return False
    return True
