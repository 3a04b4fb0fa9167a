# wrong: tanh twice
# named: tanh_twice
import torch
from torch import nn
class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.pool = nn.Sequential(nn.Linear(config.hidden_size, config.hidden_size), nn.Tanh())
    def forward(self, hidden_state):
        first = torch.index_select(hidden_state, 1, torch.tensor([0], device=hidden_state.device))
        return torch.tanh(self.pool(first)).squeeze(1)
