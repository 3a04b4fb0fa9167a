# wrong: feeds only the last id
# named: last_alone
import torch
def greedy_decode(step, start_id, end_id, max_length):
    ids, last = [start_id], start_id
    for _ in range(max_length - 1):
        last = torch.argmax(step([last])).item()
        ids.append(last)
        if last == end_id:
            break
    return ids
