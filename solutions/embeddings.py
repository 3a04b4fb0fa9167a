"""Chapter 02: from ids to vectors that know token, position and segment; no attention yet."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def embed_one_hot(token_ids: Tensor, table: Tensor) -> Tensor:
    """Look token vectors up the long way: one-hot vectors times the table.

    Take the long way, with any kind of product: the checks see the numbers alone.

    A one-hot vector has a 1 at its token's id and 0 everywhere else. The product is, number for
    number, the row of the table that belongs to the token, and gradients reach the table. Ids and
    table stay as they are.

    token_ids: [batch, seq], long, from 0 to vocab − 1
    table:     [vocab, hidden], float, finite
    returns:   [batch, seq, hidden], in the table's dtype; for a table that is not float32, raising
               an error is right too
    """
    one_hot = F.one_hot(token_ids, num_classes=table.shape[0])  # [batch, seq, vocab]
    return one_hot.to(table.dtype) @ table  # [batch, seq, hidden]


def sinusoidal_encoding(max_len: int, hidden_size: int) -> Tensor:
    """The fixed encoding of positions by waves of growing length, sine and cosine interleaved.

    With i = 0 … hidden_size/2 − 1 counting pairs of features:
    encoding[position, 2i]     = sin(position / 10000^(2i / hidden_size))
    encoding[position, 2i + 1] = cos(position / 10000^(2i / hidden_size))

    max_len:     at least 1
    hidden_size: even
    returns:     [max_len, hidden_size], float32; row 0 belongs to position 0; whether each call
                 makes a new tensor is up to you

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)  # [max_len, 1]
    exponent = torch.arange(0, hidden_size, 2, dtype=torch.float64) / hidden_size
    angle = position / 10000**exponent  # [max_len, hidden/2]
    waves = torch.stack((angle.sin(), angle.cos()), dim=-1)  # [max_len, hidden/2, 2]
    return waves.flatten(1).float()  # [max_len, hidden]


class Embeddings(nn.Module):
    """BERT's input: token vector + position vector + token type vector, LayerNorm, dropout.

    Three learned tables. Positions count from 0, in every sentence. Nothing is scaled by a root.
    LayerNorm has config.layer_norm_eps; dropout comes last, with config.hidden_dropout_prob, and
    only in training. Id 0 gets its row of the table like any other id. Every row that is used
    learns; for the token table's row 0 alone that is up to you (padding_idx=0).

    Source: Devlin et al. 2019, "BERT", figure 2.
    """

    def __init__(self, config: Any) -> None:
        """Create the three tables, the LayerNorm and the dropout.

        config: has vocab_size, max_position_embeddings, type_vocab_size, hidden_size,
                layer_norm_eps and hidden_dropout_prob
        """
        super().__init__()
        self.token = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        """Embed a batch; works on whatever device the ids are.

        input_ids:      [batch, seq], long; stays as it is; seq is at most max_position_embeddings
        token_type_ids: [batch, seq], long; None = all 0
        returns:        [batch, seq, hidden]
        """
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        positions = torch.arange(input_ids.shape[1], device=input_ids.device)  # [seq]
        x = self.token(input_ids) + self.position(positions) + self.token_type(token_type_ids)
        return self.dropout(self.norm(x))  # [batch, seq, hidden]


def spot_embeddings(candidate: Callable[[int, int], Tensor]) -> bool:
    """Find the mistake: is this implementation of sinusoidal_encoding right?

    candidate(max_len, hidden_size) promises what sinusoidal_encoding promises. Call it with sizes
    of your choice (small ones will do) and judge what comes back. Every right formulation must get
    through: rounding differs from one to the next, by about 1e-5 at position 100. A candidate that
    raises an error is a wrong one. Values and shape count; no candidate is wrong in its dtype
    alone.

    candidate: max_len and an even hidden_size → [max_len, hidden_size]
    returns:   True where the candidate behaves correctly, False where it has a mistake
    """
    try:
        for max_len, hidden_size in [(40, 6), (7, 16), (3, 2)]:
            found = candidate(max_len, hidden_size)
            expected = sinusoidal_encoding(max_len, hidden_size)
            if found.shape != expected.shape or not torch.allclose(found, expected, atol=1e-4):
                return False
    except Exception:
        return False
    return True
