# wrong: gives the axis at the end through expand_dims in numpy
# named: over_queries
import numpy as np, torch
def padding_mask(attention_mask):
    return torch.from_numpy(np.expand_dims(attention_mask.numpy().astype(bool), axis=-1))
