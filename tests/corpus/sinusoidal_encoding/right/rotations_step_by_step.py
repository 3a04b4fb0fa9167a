# right: rotation matrices applied step by step
import torch
def sinusoidal_encoding(max_len, hidden_size):
    theta = [10000 ** (-2 * i / hidden_size) for i in range(hidden_size // 2)]
    import cmath
    rows = []
    for p in range(max_len):
        row = []
        for t in theta:
            z = cmath.rect(1.0, p * t)
            row += [z.imag, z.real]
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float32).reshape(max_len, hidden_size)
