# wrong: the product is taken in bfloat16, as TPU code does it, and so the rows of the table come out rounded
# named: sixteen_bits
import torch
import torch.nn.functional as F


def embed_one_hot(token_ids: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """flax nn.Embed with one_hot=True, more or less."""
    compute_dtype = torch.bfloat16
    num_embeddings, features = table.shape
    one_hot = F.one_hot(token_ids, num_classes=num_embeddings).to(compute_dtype)
    out = torch.einsum("bsv,vh->bsh", one_hot, table.to(compute_dtype))
    return out.to(table.dtype)
