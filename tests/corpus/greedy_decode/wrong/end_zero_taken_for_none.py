# wrong: an end_id of 0 is taken for no end at all
def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    while len(ids) < max_length:
        ids.append(step(ids).argmax().item())
        if end_id and ids[-1] == end_id:
            break
    return ids
