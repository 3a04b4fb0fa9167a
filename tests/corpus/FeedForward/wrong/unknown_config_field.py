# wrong: a field that the config does not have
# named: config_field
from torch import nn
class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config.hidden_size, config.intermediate_size)
        self.b = nn.Linear(config.intermediate_size, config.hidden_size)
        self.d = nn.Dropout(config.embedding_dimension)
    def forward(self, x):
        return self.d(self.b(nn.functional.gelu(self.a(x))))
