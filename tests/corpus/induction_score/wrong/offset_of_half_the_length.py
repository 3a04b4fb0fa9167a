# wrong: takes every sequence for one text said twice
import torch

def induction_score(attention, input_ids):
    half = input_ids.shape[1] // 2
    stripe = attention.diagonal(1 - half, dim1=-2, dim2=-1)
    return stripe.mean(dim=(0, 2))
