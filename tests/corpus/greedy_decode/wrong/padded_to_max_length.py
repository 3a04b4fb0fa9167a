# wrong: pads to max_length with the end id
# named: padded
def greedy_decode(step, start_id, end_id, max_length):
    out = [start_id] + [end_id] * (max_length - 1)
    n = 1
    while n < max_length:
        out[n] = int(step(out[:n]).argmax())
        n += 1
        if out[n - 1] == end_id:
            break
    return out
