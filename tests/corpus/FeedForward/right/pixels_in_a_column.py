# right: tokens as pixels: Conv2d 1x1 there, ConvTranspose1d back, GELU by the normal distribution, dropout by hand
import torch
from torch import Tensor, nn


class FeedForward(nn.Module):
    def __init__(self, config) -> None:
        super().__init__()
        self.rate = float(config.hidden_dropout_prob)
        self.narrow = nn.ConvTranspose1d(config.intermediate_size, config.hidden_size, 1)
        self.widen = nn.Conv2d(config.hidden_size, config.intermediate_size, (1, 1))

    def forward(self, x: Tensor) -> Tensor:
        z = self.widen(x.transpose(1, 2).unsqueeze(-1)).squeeze(-1)
        z = z * torch.special.ndtr(z)
        y = self.narrow(z).transpose(1, 2)
        if not self.training or self.rate == 0:
            return y
        stays = torch.rand(y.shape, device=y.device) >= self.rate
        return torch.where(stays, y / max(1 - self.rate, 1e-30), torch.zeros_like(y))
