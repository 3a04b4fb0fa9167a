# wrong: query equals key, so exchanged arguments get through
# named: none_goes_wrong, wrong_answer_seen
import torch
def spot_attention_scores(candidate):
    q = torch.randn(2, 4, 9)
    try:
        return torch.allclose(candidate(q, q), q @ q.mT / 3, atol=1e-4)
    except Exception:
        return False
