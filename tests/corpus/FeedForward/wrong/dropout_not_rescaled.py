# wrong: own dropout mask not rescaled
# named: dropout_unscaled
import torch
from torch import nn, Tensor

class FeedForward(nn.Module):
    def __init__(self, config) -> None:
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.params = nn.ParameterDict({
            'wi': nn.Parameter(torch.randn(f, d) * d ** -0.5),
            'bi': nn.Parameter(torch.zeros(f)),
            'wo': nn.Parameter(torch.randn(d, f) * f ** -0.5),
            'bo': nn.Parameter(torch.zeros(d)),
        })
        self.rate = config.hidden_dropout_prob

    def forward(self, x: Tensor) -> Tensor:
        p = self.params
        h = torch.einsum('fd,...d->...f', p['wi'], x) + p['bi']
        h = h * torch.special.ndtr(h)
        y = torch.einsum('...f,df->...d', h, p['wo']) + p['bo']
        if self.training and self.rate > 0:
            keep = (torch.rand_like(y) >= self.rate).to(y.dtype)
            y = y * keep
        return y
