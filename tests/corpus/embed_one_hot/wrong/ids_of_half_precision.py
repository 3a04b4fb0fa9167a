# wrong: compares ids in half precision
import torch
def embed_one_hot(token_ids, table):
    names = torch.arange(table.shape[0]).half()            # halves the memory of the comparison
    one_hot = (token_ids.half().unsqueeze(-1) == names).to(table.dtype)
    return one_hot @ table
