"""Puts modules of the solutions beside PyTorch's own, with the same random parameters."""

from types import SimpleNamespace

import torch
from torch import Tensor, nn

from solutions.multi_head_attention import MultiHeadAttention

CONFIG = SimpleNamespace(
    vocab_size=29,
    hidden_size=12,
    num_hidden_layers=2,
    num_attention_heads=3,
    intermediate_size=20,
    max_position_embeddings=16,
    type_vocab_size=2,
    hidden_dropout_prob=0.0,
    layer_norm_eps=1e-3,
    num_labels=5,
)
MASK = torch.tensor([[[1, 1, 1, 0, 0, 0, 0]], [[1, 1, 1, 1, 1, 1, 1]]])  # [batch, 1, seq]


def close(found: Tensor, expected: Tensor, atol: float = 1e-6) -> None:
    torch.testing.assert_close(found, expected, atol=atol, rtol=1e-5)


def shaken(module: nn.Module) -> nn.Module:
    """Give every parameter random values: fresh scales and shifts hide mistakes."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.3)
    return module


def copy_attention(own: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    projections = (own.query, own.key, own.value)
    theirs.in_proj_weight.data = torch.cat([part.weight.data for part in projections])
    theirs.in_proj_bias.data = torch.cat([part.bias.data for part in projections])
    theirs.out_proj.load_state_dict(own.output.state_dict())
