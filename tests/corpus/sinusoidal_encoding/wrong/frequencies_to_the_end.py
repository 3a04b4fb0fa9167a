# wrong: diffusion style frequencies: half minus one in the denominator
# named: spread_to_end
import math, torch
def sinusoidal_encoding(max_len, hidden_size):
    half = hidden_size // 2
    emb = math.log(10000) / max(half - 1, 1)
    emb = torch.exp(torch.arange(half) * -emb)
    emb = torch.arange(max_len)[:, None].float() * emb[None, :]
    out = torch.empty(max_len, hidden_size)
    out[:, ::2], out[:, 1::2] = emb.sin(), emb.cos()
    return out
