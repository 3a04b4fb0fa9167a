# wrong: it compares the softmax of the scores, which hides whatever is added to all scores of one query
# named: weights_compared
import torch


def weights_of(candidate):
    # what attention uses in the end are the weights
    return lambda q, k: candidate(q, k).softmax(-1)


def spot_attention_scores(candidate):
    torch.manual_seed(33)
    run = weights_of(candidate)
    mine = weights_of(lambda q, k: torch.einsum("bqd,bkd->bqk", q, k) * q.shape[-1] ** -0.5)
    try:
        for b, n, m, d in ((1, 1, 1, 1), (2, 3, 5, 7), (3, 6, 2, 16), (2, 4, 4, 4), (1, 5, 9, 2)):
            q, k = torch.randn(b, n, d), torch.randn(b, m, d)
            out = run(q.clone(), k.clone())
            if out.shape != (b, n, m):
                return False
            if not bool(((out - mine(q, k)).abs() < 1e-4).all()):
                return False
    except Exception:
        return False
    return True
