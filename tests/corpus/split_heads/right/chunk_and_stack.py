# right: chunk and stack
import torch
split_heads = lambda x, num_heads: torch.stack(x.chunk(num_heads, dim=-1), dim=1)
