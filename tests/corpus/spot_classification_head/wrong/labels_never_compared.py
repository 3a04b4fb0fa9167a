# wrong: compares the logits with what they were, and never the labels
# named: labels_never_compared
import torch
from torch.nn import functional as F
def spot_classification_head(candidate):
    plain = torch.randn(3, 5, generator=torch.Generator().manual_seed(8))
    large = torch.tensor([[500.0, 501, 0], [0, 1, 2]])
    sure = torch.tensor([[300.0, 0], [0, -200]])
    try:
        for logits, labels in [(plain, [4, 0, 2]), (plain, [1, 1, 3]), (large, [0, 2]), (sure, [0, 1]), (sure, [1, 0])]:
            labels = torch.tensor(labels)
            given = logits.clone()
            found = candidate(given, labels.clone())   # nobody looks at the labels again
            expected = F.cross_entropy(logits, labels)
            if found.shape != expected.shape or not torch.allclose(found, expected, 1e-4, 1e-5) or not torch.equal(given, logits):
                return False
    except Exception:
        return False
    return True
