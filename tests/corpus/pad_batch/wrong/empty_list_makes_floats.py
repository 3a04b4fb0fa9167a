# wrong: a tensor of an empty list holds floats, and the first list decides for all
import torch
from torch.nn.utils.rnn import pad_sequence
def pad_batch(sequences, pad_id):
    ids = pad_sequence([torch.tensor(each) for each in sequences], batch_first=True, padding_value=pad_id)
    real = pad_sequence([torch.ones(len(each)) for each in sequences], batch_first=True)
    return ids.long(), real.long()
