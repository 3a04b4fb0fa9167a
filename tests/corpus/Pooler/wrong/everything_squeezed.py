# wrong: squeeze() of everything
from torch import nn


class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.activation = nn.Tanh()

    def forward(self, hidden_states):
        first_token_tensor = hidden_states[:, :1].squeeze()
        pooled_output = self.dense(first_token_tensor)
        return self.activation(pooled_output)
