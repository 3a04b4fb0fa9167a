# wrong: tries small logits alone
# named: no_large_score, never_compared, none_goes_wrong, spoiling_seen, wrong_answer_seen
import torch
import torch.nn.functional as F
def spot_classification_head(candidate):
    g = torch.Generator().manual_seed(0)
    try:
        for n, c in ((4, 3), (2, 7)):
            x, y = torch.randn(n, c, generator=g), torch.randint(0, c, (n,), generator=g)
            if not torch.allclose(candidate(x, y), F.cross_entropy(x, y), atol=1e-4):
                return False
    except Exception:
        return False
    return True
