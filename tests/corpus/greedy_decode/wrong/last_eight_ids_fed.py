# wrong: context window cropped to the last 8 ids as nanoGPT block_size
def greedy_decode(step, start_id, end_id, max_length):
    idx, block_size = [start_id], 8
    while len(idx) < max_length:
        idx_cond = idx if len(idx) <= block_size else idx[-block_size:]
        idx_next = step(list(idx_cond)).argmax().item()
        idx.append(idx_next)
        if idx_next == end_id: break
    return idx
