# wrong: the linear layer is called with two arguments
# named: too_many_arguments
from torch import nn
class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config.hidden_size, config.intermediate_size)
        self.b = nn.Linear(config.intermediate_size, config.hidden_size)
        self.d = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, x):
        return self.d(self.b(nn.functional.gelu(self.a(x, x))))
