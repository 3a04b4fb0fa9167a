# wrong: ids are floats of 32 bits on the way
# named: ids_rounded
import torch
def pad_batch(sequences, pad_id):
    longest = max(map(len, sequences))
    ids = torch.full((len(sequences), longest), float(pad_id))
    mask = torch.zeros(len(sequences), longest)
    for row, s in enumerate(sequences):
        ids[row, : len(s)] = torch.tensor(s).float()
        mask[row, : len(s)] = 1
    return ids.long(), mask.long()
