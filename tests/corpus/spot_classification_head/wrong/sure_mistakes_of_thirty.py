# wrong: no mistake is so sure that a chance rounds to 0, and large logits are large in all rows
import torch
from torch.nn import functional as F


def spot_classification_head(candidate):
    """Random logits, shifted ones, sure ones: mistakes of 30, and right ones of 1000."""
    gen = torch.Generator().manual_seed(1)
    x = torch.randn(4, 5, generator=gen)
    sure_right = torch.zeros(4, 5)
    labels = torch.tensor([0, 3, 1, 3])
    sure_right[range(4), labels] = 1000.0
    sure_wrong = torch.zeros(4, 5)
    sure_wrong[range(4), (labels + 1) % 5] = 30.0
    cases = [x, x + 1000, sure_right, sure_wrong]
    try:
        for logits in cases:
            given, given_labels = logits.clone(), labels.clone()
            loss = candidate(given, given_labels)
            want = F.cross_entropy(logits.double(), labels).float()
            if loss.shape != () or not torch.allclose(loss, want, rtol=1e-4, atol=1e-3):
                return False
            if not torch.equal(given, logits) or not torch.equal(given_labels, labels):
                return False
    except Exception:
        return False
    return True
