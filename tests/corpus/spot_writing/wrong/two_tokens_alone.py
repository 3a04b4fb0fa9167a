# wrong: sequences of two tokens alone, so nobody has to count more than one guess
# named: two_tokens
import torch
def spot_writing(candidate):
    g = torch.Generator().manual_seed(1)
    logits = torch.randn(4, 2, 5, generator=g)
    ids = torch.tensor([[1, 0], [3, 4], [2, 2], [0, 1]])
    large = torch.tensor([[[900.0, 0, 0], [0, 0, 0]], [[0, -900, 3], [1, 2, 3]], [[0, 1, 2], [0, 0, 0]]]), torch.tensor([[0, 1], [2, 1], [1, 2]])
    try:
        for x, y in ((logits, ids), (logits, ids.flip(0)), large):
            a, b = x.clone(), y.clone()
            found = candidate(a, b)
            right = torch.nn.functional.cross_entropy(x[:, 0], y[:, 1])
            if found.shape != () or not torch.allclose(found, right.to(found.dtype), rtol=1e-4, atol=1e-4):
                return False
            if not (torch.equal(a, x) and torch.equal(b, y)):
                return False
    except Exception:
        return False
    return True
