# wrong: an if on a whole tensor where there is no mask
# named: tensor_as_truth
from torch import nn
class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config.hidden_size, config.intermediate_size)
        self.b = nn.Linear(config.intermediate_size, config.hidden_size)
        self.d = nn.Dropout(config.hidden_dropout_prob)
    def act(self, x):
        if x > 0:
            return x
        return 0 * x
    def forward(self, x):
        return self.d(self.b(self.act(self.a(x))))
