# wrong: the mask is padded with pad_id, as the ids are
# named: mask_padded_with_id
from functools import partial

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence


def pad_batch(sequences: list[list[int]], pad_id: int) -> tuple[Tensor, Tensor]:
    pad = partial(pad_sequence, batch_first=True, padding_value=pad_id)
    rows = [torch.tensor(ids, dtype=torch.long) for ids in sequences]
    return pad(rows), pad([torch.ones_like(row) for row in rows])
