# wrong: the best score so far starts at -1e9: lower ones are never taken
def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    while len(ids) < max_length:
        best, place = -1e9, end_id
        for i, score in enumerate(step(ids).tolist()):
            if score > best:
                best, place = score, i
        ids.append(place)
        if place == end_id:
            break
    return ids
