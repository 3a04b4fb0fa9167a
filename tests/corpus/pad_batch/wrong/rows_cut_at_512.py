# wrong: truncates every row to BERT's 512
import torch
def pad_batch(sequences, pad_id):
    width = min(max(len(s) for s in sequences), 512)
    ids = torch.full((len(sequences), width), pad_id, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for i, s in enumerate(sequences):
        s = s[:width]
        ids[i, :len(s)] = torch.tensor(s, dtype=torch.long)
        mask[i, :len(s)] = 1
    return ids, mask
