# right: pad_sequence and lengths
import torch
from torch.nn.utils.rnn import pad_sequence

def pad_batch(sequences, pad_id):
    rows = [torch.as_tensor(s, dtype=torch.int64) for s in sequences]
    ids = pad_sequence(rows, batch_first=True, padding_value=pad_id)
    lengths = torch.tensor(list(map(len, sequences)))
    return ids, (torch.arange(ids.size(1)) < lengths[:, None]).long()
