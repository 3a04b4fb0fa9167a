# wrong: its one case worked out by hand has the answer 0, so a factor on all scores is not noticed
# named: wrong_answer_seen
import math
from collections.abc import Callable

import torch
from torch import Tensor


def spot_attention_scores(candidate: Callable[[Tensor, Tensor], Tensor]) -> bool:
    gen = torch.Generator().manual_seed(3)
    q = torch.randn(2, 3, 5, generator=gen)
    k = torch.randn(2, 4, 5, generator=gen)

    def same(a: Tensor, b: Tensor) -> bool:
        return a.shape == b.shape and torch.allclose(a, b, atol=1e-4)

    def ask(query: Tensor, key: Tensor) -> Tensor:
        return candidate(query.clone(), key.clone()).float()

    try:
        base = ask(q, k)
        if base.shape != (2, 3, 4):
            return False
        hand = ask(torch.zeros(1, 1, 4), torch.ones(1, 1, 4))
        if not same(hand, torch.full((1, 1, 1), 0.0)):
            return False
        laws = [
            same(ask(3 * q, k), 3 * base),
            same(ask(q, -2 * k), -2 * base),
            same(ask(q[:, [2, 0, 1]], k), base[:, [2, 0, 1]]),
            same(ask(q, k[:, [3, 1, 0, 2]]), base[:, :, [3, 1, 0, 2]]),
            same(ask(q.flip(0), k.flip(0)), base.flip(0)),
            same(ask(q[1:], k[1:]), base[1:]),
            same(ask(q[:, :1], k), base[:, :1]),
            same(ask(q, k[:, 1:]), base[:, :, 1:]),
            same(ask(torch.cat([q, q], -1), torch.cat([k, k], -1)), base * math.sqrt(2)),
            same(ask(k, q), base.transpose(1, 2)),
            same(ask(q[..., [4, 2, 0, 1, 3]], k[..., [4, 2, 0, 1, 3]]), base),
            same(ask(q, k) + ask(q, k + 1), ask(q, 2 * k + 1)),
            bool((base.abs() > 1e-3).any()),
        ]
    except Exception:
        return False
    return all(laws)
