# right: recursion over a helper, topk
import torch

def greedy_decode(step, start_id, end_id, max_length):
    def go(ids):
        if len(ids) >= max_length or (len(ids) > 1 and ids[-1] == end_id):
            return ids
        return go(ids + [torch.topk(step(ids[:]), 1).indices.item()])
    return go([start_id])
