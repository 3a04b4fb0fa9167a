# wrong: the exponents go from 0 to 1 inclusive, and a single pair divides by zero
import torch

def sinusoidal_encoding(max_len, hidden_size):
    half = hidden_size // 2
    exponent = torch.arange(half).double() / (half - 1)
    angle = torch.arange(max_len).double().unsqueeze(1) / 10000**exponent
    return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(max_len, hidden_size).float()
