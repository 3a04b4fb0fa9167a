# right: row sums, hidden keys, moved rows and ratios of weights; no other softmax to compare with
import math

import torch


def spot_softmax(candidate):
    torch.manual_seed(2)
    plain = torch.randn(2, 3, 4)
    steep = torch.tensor([[[500.0, 499, 0, 3], [0, 1, 2, 9], [-2e4, -20001, -2e4, -2e4]]])
    padding = torch.tensor([[[1, 1, 0, 1]], [[1, 1, 1, 1]]])
    stairs = torch.ones(3, 4).tril(1).bool()
    last = torch.tensor([[[1, 1, 1, 0]]])
    try:
        for scores, mask in ((plain, padding), (plain, padding.bool()), (plain, stairs), (steep, last)):
            given, given_mask = scores.clone(), mask.clone()
            weights = candidate(given, given_mask)
            if not (torch.equal(given, scores) and torch.equal(given_mask, mask)):
                return False
            seen = mask.bool().expand(scores.shape)
            if weights.shape != scores.shape or bool((weights[~seen] > 1e-6).any()):
                return False
            if not bool(((weights.sum(-1) - 1).abs() < 1e-2).all()):
                return False
            for b, q in ((b, q) for b in range(scores.shape[0]) for q in range(scores.shape[1])):
                keys = [k for k in range(4) if seen[b, q, k]]
                top = max(keys, key=lambda k: float(scores[b, q, k]))
                for k in keys:
                    ratio = math.exp(float(scores[b, q, k] - scores[b, q, top]))
                    if not abs(float(weights[b, q, k] / weights[b, q, top]) - ratio) < 1e-2:
                        return False
        usual = candidate(plain, padding)
        louder = plain.masked_fill(padding == 0, 300.0)  # what is hidden plays no part
        higher = plain + torch.tensor([100.0, 0.0, -100.0]).view(1, 3, 1)  # rows at other heights
        return all(
            torch.allclose(candidate(other, padding), usual, atol=1e-4) for other in (louder, higher)
        )
    except Exception:
        return False
