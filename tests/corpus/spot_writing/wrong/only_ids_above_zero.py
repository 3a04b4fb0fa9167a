# wrong: judges with ids from 1 up: somebody who takes 0 for padding gets through
# named: no_id_0
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F


def _reference(logits: Tensor, ids: Tensor) -> float:
    return float(F.cross_entropy(logits.double()[:, :-1].flatten(0, 1), ids[:, 1:].flatten()))


def spot_writing(candidate: Callable[[Tensor, Tensor], Tensor]) -> bool:
    chance = torch.Generator().manual_seed(0)
    shapes = [(3, 6, 5), (1, 6, 5), (2, 2, 7), (4, 3, 2), (1, 2, 3), (6, 6, 6)]
    for size, shift in ((1.0, 0.0), (0.0, 0.0), (8.0, 0.0), (300.0, 0.0), (1.0, 2000.0), (1.0, -2000.0), (1.0, None)):
        for batch, seq, vocab in shapes:
            logits = size * torch.randn(batch, seq, vocab, generator=chance)
            ids = torch.randint(1, max(vocab, 2), (batch, seq), generator=chance)
            logits += torch.arange(batch).view(-1, 1, 1) * -1000.0 if shift is None else shift
            kept = logits.clone(), ids.clone()
            try:
                found = candidate(logits, ids)
            except Exception:
                return False
            if not isinstance(found, Tensor) or found.shape != ():
                return False
            room = 1e-5 * float(kept[0].abs().max()) + 1e-5
            if not abs(float(found) - _reference(*kept)) <= room:      # nan is not <=
                return False
            if not (torch.equal(kept[0], logits) and torch.equal(kept[1], ids)):
                return False
    logits = torch.randn(2, 4, 5, generator=chance).requires_grad_()
    try:
        candidate(logits, torch.tensor([[1, 2, 3, 4], [1, 2, 1, 2]])).backward()
    except Exception:
        return False
    return logits.grad is not None and bool((logits.grad[:, :-1] != 0).any())
