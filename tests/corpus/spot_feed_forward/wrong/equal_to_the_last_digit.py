# wrong: compares with torch.equal
# named: always_false
from collections.abc import Callable

import torch
from torch import Tensor, nn


def _reference(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    inner = x @ w1.T + b1
    return gelu(inner) @ w2.T + b2


def spot_feed_forward(candidate: Callable[..., Tensor]) -> bool:
    torch.manual_seed(1)
    args = (3 * torch.randn(2, 5, 6), torch.randn(9, 6), torch.randn(9), torch.randn(6, 9), torch.randn(6))
    copies = [a.clone() for a in args]
    try:
        result = candidate(*args)
        untouched = all(map(torch.equal, args, copies))
        return bool(untouched and torch.equal(result, _reference(*copies)))
    except Exception:
        return False
