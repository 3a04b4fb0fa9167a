# wrong: there are as many labels as rows wherever it is tried
# named: as_many_labels_as_rows
import torch

def spot_classification_head(candidate):
    plain = torch.randn(5, 5, generator=torch.Generator().manual_seed(8))
    large = torch.tensor([[500.0, 501, 0], [0, 1, 2], [0, 499, 500]])
    sure = torch.tensor([[300.0, 0], [0, -200]])
    cases = [(plain, [4, 0, 2, 2, 1]), (plain, [1, 1, 3, 0, 2]), (large, [0, 2, 1]), (sure, [0, 1]), (sure, [1, 0])]
    try:
        for logits, label_list in cases:
            labels = torch.tensor(label_list)
            given = logits.clone(), labels.clone()
            found = candidate(*given)
            expected = torch.nn.functional.cross_entropy(logits, labels)
            if found.shape != expected.shape or not torch.allclose(found, expected, 1e-4, 1e-5):
                return False
            if not (torch.equal(given[0], logits) and torch.equal(given[1], labels)):
                return False
    except Exception:
        return False
    return True
