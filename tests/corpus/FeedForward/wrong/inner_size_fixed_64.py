# wrong: 64 features in between whatever the config says
from torch import nn
class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config.hidden_size, 64)
        self.b = nn.Linear(64, config.hidden_size)
        self.d = nn.Dropout(0.1)
    def forward(self, x):
        return self.d(self.b(nn.functional.gelu(self.a(x))))
