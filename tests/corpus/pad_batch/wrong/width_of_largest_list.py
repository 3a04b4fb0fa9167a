# wrong: max(sequences) compares lists by their ids, not by their lengths
# named: largest_width
import torch
from torch import Tensor


def pad_batch(sequences: list[list[int]], pad_id: int) -> tuple[Tensor, Tensor]:
    longest = len(max(sequences))
    ids, mask = [], []
    for seq in sequences:
        ids.append([seq[i] if i < len(seq) else pad_id for i in range(longest)])
        mask.append([1 if i < len(seq) else 0 for i in range(longest)])
    return torch.tensor(ids, dtype=torch.long), torch.tensor(mask, dtype=torch.long)
