# wrong: refuses repeats: a token already written is masked
import torch
def greedy_decode(step, start_id, end_id, max_length):
    out = [start_id]
    while len(out) < max_length:
        scores = step(list(out)).clone()
        scores[out[-1]] = -torch.inf
        out.append(scores.argmax().item())
        if out[-1] == end_id:
            break
    return out
