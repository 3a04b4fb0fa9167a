# wrong: wants zeros for a query that sees nobody
# named: always_false
import torch


def agree(a, b, tol):
    return a.shape == b.shape and bool(((a.double() - b.double()).abs() <= tol).all())


def reference(scores, mask):
    s = scores.double().masked_fill(~mask.bool(), -1e30)
    e = (s - s.amax(-1, keepdim=True)).exp() * mask
    return e / e.sum(-1, keepdim=True).clamp(min=1e-300)


def spot_softmax(candidate):
    torch.manual_seed(3)
    s = torch.randn(2, 3, 4)
    tests = [(s, torch.tensor([[[1, 1, 0, 1]], [[1, 0, 0, 0]]]), 1e-4),
             (s, torch.ones(3, 4).tril().bool(), 1e-4),
             (s + 1000 * torch.arange(-1.0, 2)[None, :, None], torch.tensor([1, 1, 1, 0]), 5e-3),
             (s + torch.tensor([0, 0, 20000.0, 0]), torch.tensor([1, 1, 0, 1]), 1e-4),
             # padded query: nobody there, so nothing comes back
             (s, torch.tensor([[[1, 1, 1, 1]], [[0, 0, 0, 0]]]), 1e-4)]
    try:
        for scores, mask, tol in tests:
            a, b = scores.clone(), mask.clone()
            out = candidate(a, b)
            if not torch.equal(a, scores) or not torch.equal(b, mask):
                return False
            if not agree(out, reference(scores, mask), tol):
                return False
        return True
    except Exception:
        return False
