# right: partial of an einsum bound to the name, scale in the query
import math
from functools import partial
import torch

def _scores(equation, query, key):
    return torch.einsum(equation, query / math.sqrt(query.size(-1)), key)

attention_scores = partial(_scores, "bqd,bkd->bqk")
