# wrong: tries two labels alone, so a loss for two labels gets through
# named: two_labels_alone
import torch
def spot_classification_head(candidate):
    cases = [
        ([[2.0, -1.0], [0.5, 3.0], [-1.0, 0.3]], [0, 0, 1]),
        ([[2.0, -1.0], [0.5, 3.0], [-1.0, 0.3], [0.1, 0.2]], [1, 1, 0, 1]),
        ([[800.0, 0.0], [1.0, 0.0], [-900.0, 5.0]], [1, 0, 0]),
        ([[800.0, 0.0], [1.0, 0.0], [-900.0, 5.0]], [0, 1, 1]),
    ]
    try:
        for logits, labels in cases:
            logits, labels = torch.tensor(logits), torch.tensor(labels)
            a, b = logits.clone(), labels.clone()
            found = candidate(a, b)
            right = torch.nn.functional.cross_entropy(logits, labels)
            if found.shape != () or not torch.allclose(found, right.to(found.dtype), rtol=1e-4, atol=1e-5):
                return False
            if not (torch.equal(a, logits) and torch.equal(b, labels)):
                return False
    except Exception:
        return False
    return True
