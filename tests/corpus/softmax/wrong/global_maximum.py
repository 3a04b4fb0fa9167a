# wrong: global maximum as the shift
# named: global_max
import torch
softmax = lambda x, dim: (lambda e: e / e.sum(dim, keepdim=True))((x - x.max()).exp())
