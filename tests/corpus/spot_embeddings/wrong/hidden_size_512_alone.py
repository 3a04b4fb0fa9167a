# wrong: 512 features, as in the paper, and no other number
# named: hidden_size_512
import torch
def spot_embeddings(candidate):
    """As in the paper: 512 features."""
    try:
        found = candidate(20, 512).double()
        i = torch.arange(256).double()
        angle = torch.arange(20).double()[:, None] / 10000 ** (2 * i / 512)
        right = torch.stack((angle.sin(), angle.cos()), -1).flatten(1)
        return found.shape == right.shape and torch.allclose(found, right, atol=1e-3)
    except Exception:
        return False
