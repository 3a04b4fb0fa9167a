# right: forward mode of a square says the power that is taken
import torch
from torch import nn
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.eps, self.weight, self.bias = eps, nn.Parameter(torch.ones(hidden_size)), nn.Parameter(torch.zeros(hidden_size))
        _, slope = torch.func.jvp(torch.square, (torch.tensor(3.0),), (torch.tensor(1.0),))
        self.power = float(slope) / 3
    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        return self.weight * c / ((c ** self.power).mean(-1, keepdim=True) + self.eps).sqrt() + self.bias
