# wrong: all rows are one list, multiplied
# named: one_row_for_all
import torch


def pad_batch(sequences, pad_id):
    longest = max(len(s) for s in sequences)
    ids = [[pad_id] * longest] * len(sequences)
    mask = [[0] * longest] * len(sequences)
    for i, s in enumerate(sequences):
        for j, token in enumerate(s):
            ids[i][j] = token
            mask[i][j] = 1
    return torch.tensor(ids, dtype=torch.long), torch.tensor(mask, dtype=torch.long)
