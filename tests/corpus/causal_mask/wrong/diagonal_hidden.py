# wrong: triangle without its diagonal
# named: self_hidden
import torch
causal_mask = lambda n: torch.arange(n)[:, None] > torch.arange(n)
