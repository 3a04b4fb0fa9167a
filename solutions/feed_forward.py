"""Chapter 06: what every token thinks over by itself, after attention; no token meets another."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn


def gelu(x: Tensor) -> Tensor:
    """The Gaussian error linear unit, exact: x times the chance that a standard normal is below x.

    Exact to about a millionth, which the usual approximations by a tanh or a sigmoid are not. No
    ready-made GELU is called; torch.erf is welcome. Gradients flow through it, and the input stays
    as it is.

    x:       any shape, a single number and an empty tensor too; float, from −10³⁰ to 10³⁰
    returns: the same shape

    Source: Hendrycks and Gimpel 2016, "Gaussian error linear units".
    """
    return x * (1 + torch.erf(x / math.sqrt(2))) / 2


class FeedForward(nn.Module):
    """The position-wise feed-forward network: widen, GELU, narrow, dropout.

    Every token goes through the same two linear maps with biases, hidden_size → intermediate_size →
    hidden_size, with the exact GELU between them. Dropout comes last and nowhere else, with
    config.hidden_dropout_prob, and only in training. Tokens do not see each other; what came in is
    not added back here.

    Source: Vaswani et al. 2017, section 3.3; Devlin et al. 2019, "BERT", for the GELU.
    """

    def __init__(self, config: Any) -> None:
        """Create both linear maps and the dropout.

        config: has hidden_size, intermediate_size and hidden_dropout_prob
        """
        super().__init__()
        self.expand = nn.Linear(config.hidden_size, config.intermediate_size)
        self.contract = nn.Linear(config.intermediate_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x: Tensor) -> Tensor:
        """Transform every token by itself.

        x:       [batch, seq, hidden]; stays as it is
        returns: [batch, seq, hidden]
        """
        x = gelu(self.expand(x))  # [batch, seq, intermediate]
        return self.dropout(self.contract(x))  # [batch, seq, hidden]


def spot_feed_forward(candidate: Callable[..., Tensor]) -> bool:
    """Find the mistake: is this feed-forward network, written as a function, right?

    candidate(x, weight_1, bias_1, weight_2, bias_2) promises linear, exact GELU, linear, for every
    token by itself, without dropout, and leaves its inputs as they are. Weights are stored as
    nn.Linear stores them, [out, in]. Call it on inputs of your choice and judge what comes back.
    Every right formulation must get through: rounding differs from one to the next by about 1e-6. A
    candidate that raises an error is a wrong one. Values, shape and untouched inputs count;
    none is wrong in gradients or dtype alone.

    candidate: x [batch, seq, hidden], weight_1 [intermediate, hidden], bias_1 [intermediate],
               weight_2 [hidden, intermediate], bias_2 [hidden] → [batch, seq, hidden]
    returns:   True where the candidate behaves correctly, False where it has a mistake
    """
    generator = torch.Generator().manual_seed(6)
    shapes = [(2, 3, 4), (5, 4), (5,), (4, 5), (4,)]
    given = [torch.randn(shape, generator=generator) for shape in shapes]
    copies = [tensor.clone() for tensor in given]
    x, weight_1, bias_1, weight_2, bias_2 = given
    expected = gelu(x @ weight_1.T + bias_1) @ weight_2.T + bias_2
    try:
        found = candidate(*copies)
        untouched = all(map(torch.equal, copies, given))
        right = found.shape == expected.shape and torch.allclose(found, expected, atol=1e-5)
        return right and untouched
    except Exception:
        return False
