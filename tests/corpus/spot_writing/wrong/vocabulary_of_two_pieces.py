# wrong: its vocabularies have two pieces
# named: two_pieces_alone
import math
import torch
from torch import nn

def spot_writing(candidate):
    ids = torch.tensor([[1, 0, 0, 0, 1, 1], [1, 1, 0, 1, 1, 0], [0, 1, 1, 0, 0, 1], [0, 0, 1, 1, 0, 1]])
    logits = torch.randn(4, 6, 2, generator=torch.Generator().manual_seed(11))
    other_end, other_start = logits.clone(), ids.clone()
    other_end[:, -1] += torch.arange(2.0)
    other_start[:, 0] = 1 - ids[:, 0]
    right = torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    sure = 300 * nn.functional.one_hot(ids.roll(-1, dims=1), 2).float()
    wrong_once = torch.zeros(5, 4, 6, 2)
    for place in range(5):
        wrong_once[place, :, place] = -sure[:, place]
    once = torch.tensor((4 * math.log(2) + 300) / 5)
    try:
        given = logits.clone(), ids.clone()
        loss = candidate(*given)
        kept = torch.equal(given[0], logits) and torch.equal(given[1], ids)
        apart = torch.stack([candidate(logits[i : i + 1], ids[i : i + 1]) for i in range(4)])
        pairs = [
            (right, loss), (apart.mean(), loss), (candidate(other_end, ids), loss), (candidate(logits, other_start), loss),
            (candidate(torch.zeros(4, 6, 2), ids), torch.tensor(math.log(2))),
            (candidate(sure, ids), torch.tensor(0.0)), (candidate(-sure, ids), torch.tensor(300.0)),
            *((candidate(each, ids), once) for each in wrong_once),
        ]
        return kept and loss.shape == () and all(torch.allclose(a, b, 1e-5, 1e-4) for a, b in pairs)
    except Exception:
        return False
