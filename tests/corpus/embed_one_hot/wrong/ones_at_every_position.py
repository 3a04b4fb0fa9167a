# wrong: the ids' columns are set at every position: each gets the rows of the whole batch
# named: ones_of_all_tokens
import torch
from torch import Tensor


def embed_one_hot(token_ids: Tensor, table: Tensor) -> Tensor:
    batch, seq = token_ids.shape
    vocab, hidden = table.shape
    one_hot = torch.zeros(batch, seq, vocab, dtype=table.dtype, device=table.device)
    one_hot[:, :, token_ids] = 1        # a 1 at the token's id
    return one_hot @ table              # [batch, seq, hidden]
