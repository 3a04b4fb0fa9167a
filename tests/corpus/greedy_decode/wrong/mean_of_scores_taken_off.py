# wrong: the mean of the scores is taken off: one of -inf makes nan of all, and that ends the text
import torch

def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    while len(ids) < max_length:
        scores = step(ids)
        shifted = scores - scores.mean()
        if shifted.isnan().any():
            break
        ids.append(int(shifted.argmax()))
        if ids[-1] == end_id:
            break
    return ids
