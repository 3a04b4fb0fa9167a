# wrong: odd loop: cos uses exponent (2i+1)
# named: column_exponent
import math, torch
def sinusoidal_encoding(max_len, hidden_size):
    rows = []
    for pos in range(max_len):
        rows.append([(math.cos if i % 2 else math.sin)(pos / (10000 ** (i / hidden_size))) for i in range(hidden_size)])
    return torch.tensor(rows)
