# wrong: id 0 counts as nothing and ends the text
def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    while len(ids) < max_length:
        best = int(step(ids).argmax())
        if not best:
            break
        ids.append(best)
        if best == end_id:
            break
    return ids
