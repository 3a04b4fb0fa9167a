# wrong: as many rows as labels, each label once, and no row much larger than another
# named: none_goes_wrong
import torch
from torch.nn import functional as F


def spot_classification_head(candidate):
    """Each label once; large logits in all rows alike; a sure mistake of 500 in every row."""
    gen = torch.Generator().manual_seed(2)
    x = torch.randn(3, 3, generator=gen)
    labels = torch.tensor([2, 0, 1])
    wrong = torch.zeros(3, 3)
    wrong[range(3), (labels + 1) % 3] = 500.0
    try:
        for logits in (x, x + 900, wrong, -wrong, 500.0 * torch.eye(3)[labels]):
            given, given_labels = logits.clone(), labels.clone()
            loss = candidate(given, given_labels)
            want = F.cross_entropy(logits, labels)
            if loss.dim() != 0 or not abs(float(loss) - float(want)) <= 2e-3:
                return False
            if not torch.equal(given, logits) or not torch.equal(given_labels, labels):
                return False
    except Exception:
        return False
    return True
