# wrong: label 0 never occurs
# named: no_label_0
import torch
def spot_classification_head(candidate):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(4, 5, generator=generator)
    cases = [(x, [1, 4, 2, 1]), (x * 20, [3, 1, 2, 4]), (torch.tensor([[0.0, 500, 0], [900, 0, 300], [0, -400, 1]]), [2, 1, 1]), (x, [4, 4, 1, 3])]
    try:
        for logits, labels in cases:
            labels = torch.tensor(labels)
            given = logits.clone(), labels.clone()
            found = candidate(*given)
            right = logits.logsumexp(1) - logits[range(len(labels)), labels]
            if found.shape != () or not torch.allclose(found.float(), right.mean(), rtol=1e-4, atol=1e-4):
                return False
            if not (torch.equal(given[0], logits) and torch.equal(given[1], labels)):
                return False
        return True
    except Exception:
        return False
