# wrong: the gaps are filled with -100 first, and the mask is where no -100 stands: a real token of that id is taken for padding
# named: gap_marker
from itertools import zip_longest
import torch
def pad_batch(sequences, pad_id):
    columns = zip_longest(*sequences, fillvalue=-100)
    ids = torch.tensor(list(columns)).T.contiguous()
    real = ids != -100
    return ids.masked_fill(~real, pad_id), real.long()
