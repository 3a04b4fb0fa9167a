# wrong: mask is True and False
# named: mask_bool
from torch.nn.utils.rnn import pad_sequence
import torch
def pad_batch(sequences, pad_id):
    rows = [torch.tensor(s, dtype=torch.long) for s in sequences]
    ids = pad_sequence(rows, True, pad_id)
    lens = torch.tensor([len(r) for r in rows])
    return ids, torch.arange(ids.size(1)).unsqueeze(0) < lens.unsqueeze(1)
