# wrong: width guessed from the largest id
# named: classes_guessed
import torch.nn.functional as F

def embed_one_hot(token_ids, table):

    return F.one_hot(token_ids).to(table.dtype) @ table
