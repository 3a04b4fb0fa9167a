# wrong: like a do-while loop it takes a token first and asks for the length afterwards, so max_length 1 gives two ids
# named: length_asked_late
def greedy_decode(step, start_id, end_id, max_length):
    ids = [start_id]
    while True:
        next_id = int(step(list(ids)).argmax())
        ids.append(next_id)
        if next_id == end_id or len(ids) >= max_length:
            break
    return ids
