# wrong: only the key is scaled by d to the quarter
# named: scaled_by_fourth_root
def attention_scores(query, key):
    return query @ (key / key.shape[-1] ** 0.25).transpose(1, 2)
