# wrong: the inner width is hidden_size
# named: inner_as_hidden
from torch import nn
class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config.hidden_size, config.hidden_size)
        self.b = nn.Linear(config.hidden_size, config.hidden_size)
        self.d = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, x):
        return self.d(self.b(nn.functional.gelu(self.a(x))))
