import torch


def spot_softmax(candidate):
    scores, mask = torch.randn(2, 3, 4), torch.tensor([1, 1, 0, 1])
    near = torch.allclose(candidate(scores.clone(), mask), masked_softmax(scores, mask), atol=1e-4)
    return bool(near)
