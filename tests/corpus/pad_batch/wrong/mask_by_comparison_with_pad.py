# wrong: mask found by comparing with pad_id
# named: compared
import torch
from torch.nn.utils.rnn import pad_sequence

def pad_batch(sequences, pad_id):
    ids = pad_sequence([torch.tensor(s, dtype=torch.long) for s in sequences], batch_first=True, padding_value=pad_id)
    return ids, ids.ne(pad_id).long()
