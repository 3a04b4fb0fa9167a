# wrong: positions that pay nothing to their targets are not counted
# named: paid_alone
import torch
from torch import Tensor


def induction_score(attention: Tensor, input_ids: Tensor) -> Tensor:
    seq = input_ids.shape[1]
    same = input_ids[:, :, None] == input_ids[:, None, :]          # query, earlier self
    earlier = same & torch.ones(seq, seq, dtype=torch.bool).tril(-1)
    targets = torch.zeros_like(earlier)
    targets[:, :, 1:] = earlier[:, :, :-1]                          # one after the earlier self
    share = (attention * targets[:, None]).sum(-1)                  # [batch, heads, query]
    counted = share > 0
    return share.sum(dim=(0, 2)) / counted.sum(dim=(0, 2)).clamp(min=1)
