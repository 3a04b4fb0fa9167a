# wrong: the running maximum of the online softmax starts at -inf, and -inf minus -inf is nan where a row begins with -inf
# named: nan_behind_hidden
import torch


def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    """Two passes, as in FlashAttention: running maximum and running sum, then the weights."""
    entries = x.unbind(dim)
    first = entries[0]
    m = torch.full_like(first, float("-inf"))
    s = torch.zeros_like(first)
    for entry in entries:
        new = torch.maximum(m, entry.detach())
        s = s * torch.exp(m - new) + torch.exp(entry - new)
        m = new
    return torch.stack([torch.exp(entry - m) / s for entry in entries], dim=dim)
