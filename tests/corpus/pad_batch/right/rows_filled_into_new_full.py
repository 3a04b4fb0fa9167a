# right: new_full tensors filled row by row, Hugging Face collator style
from dataclasses import dataclass
import torch
@dataclass
class DataCollator:
    pad: int
    def __call__(self, features):
        n = max(map(len, features))
        ids = torch.full((len(features), n), self.pad, dtype=torch.int64)
        mask = torch.zeros_like(ids)
        for row, f in enumerate(features):
            if len(f):
                ids[row, : len(f)] = torch.as_tensor(f)
                mask[row, : len(f)] = 1
        return ids, mask
def pad_batch(sequences, pad_id):
    return DataCollator(pad_id)(sequences)
