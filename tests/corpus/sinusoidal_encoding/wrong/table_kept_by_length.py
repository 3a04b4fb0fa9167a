# wrong: a table is kept for each length, whatever the width
# named: earlier_call_counts
import torch

_tables = {}

def sinusoidal_encoding(max_len, hidden_size):
    if max_len not in _tables:
        pos = torch.arange(max_len).float()[:, None]
        freq = 10000.0 ** (-torch.arange(0, hidden_size, 2).float() / hidden_size)
        table = torch.zeros(max_len, hidden_size)
        table[:, 0::2], table[:, 1::2] = (pos * freq).sin(), (pos * freq).cos()
        _tables[max_len] = table
    return _tables[max_len]
