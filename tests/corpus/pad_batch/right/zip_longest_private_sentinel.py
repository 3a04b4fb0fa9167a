# right: zip_longest with a private sentinel
from itertools import zip_longest
import torch

def pad_batch(sequences, pad_id):
    nothing = object()
    columns = list(zip_longest(*sequences, fillvalue=nothing))
    ids = torch.tensor([[pad_id if i is nothing else i for i in c] for c in columns], dtype=torch.long).reshape(len(columns), len(sequences))
    real = torch.tensor([[int(i is not nothing) for i in c] for c in columns], dtype=torch.long).reshape(len(columns), len(sequences))
    return ids.T.contiguous(), real.T.contiguous()
