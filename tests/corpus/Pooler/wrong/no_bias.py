# wrong: no bias
# named: dense_without_bias
import torch
from torch import nn
class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.pool = nn.Sequential(nn.Linear(config.hidden_size, config.hidden_size, bias=False), nn.Tanh())
    def forward(self, hidden_state):
        first = torch.index_select(hidden_state, 1, torch.tensor([0], device=hidden_state.device))
        return self.pool(first).squeeze(1)
