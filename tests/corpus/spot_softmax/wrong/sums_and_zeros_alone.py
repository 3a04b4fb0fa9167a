# wrong: only checks that rows sum to one and hidden ones are zero
# named: no_large_score, never_compared, none_goes_wrong, spoiling_seen, wrong_answer_seen
import torch
def spot_softmax(candidate):
    s = torch.randn(2, 3, 5)
    m = torch.tensor([1, 1, 0, 1, 0])
    try:
        w = candidate(s, m)
        return bool(torch.allclose(w.sum(-1), torch.ones(2, 3)) and (w[..., m == 0] == 0).all())
    except Exception:
        return False
