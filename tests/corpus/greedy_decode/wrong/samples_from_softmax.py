# wrong: samples from the softmax
import torch
def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    for _ in range(max_length - 1):
        p = torch.softmax(step(ids[:]).float(), -1)
        ids.append(torch.multinomial(p, 1).item())
        if ids[-1] == end_id:
            return ids
    return ids
