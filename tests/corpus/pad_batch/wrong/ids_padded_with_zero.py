# wrong: pads the ids with 0 whatever pad_id says
# named: pads_zero
from torch.nn.utils.rnn import pad_sequence
import torch
def pad_batch(sequences, pad_id):
    rows = [torch.tensor(s, dtype=torch.long) for s in sequences]
    ones = [torch.ones_like(r) for r in rows]
    return pad_sequence(rows, batch_first=True), pad_sequence(ones, batch_first=True)
