# wrong: linear layer made in forward
# named: made_in_forward
from torch import nn

class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config

    def forward(self, hidden_state):
        pooled = hidden_state[:, 0, :]
        pooled = nn.Linear(self.config.hidden_size, self.config.hidden_size)(pooled).tanh()
        return pooled
