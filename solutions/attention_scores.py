"""Chapter 03: how well each query fits each key, and who may look where; it knows no softmax."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn


def attention_scores(query: Tensor, key: Tensor) -> Tensor:
    """Scaled dot products: how well does each query fit each key?

    The score of query i and key j is the dot product of the two vectors, divided by √d_k, where d_k
    is the width of a query. Sentences of a batch never mix. There may be more keys than queries,
    or fewer. Gradients flow back to both, and both stay as they are.

    query:   [batch, query, d_k]
    key:     [batch, key, d_k]
    returns: [batch, query, key]

    Source: Vaswani et al. 2017, "Attention is all you need", equation 1.
    """
    d_k = query.shape[-1]
    return query @ key.transpose(-2, -1) / math.sqrt(d_k)  # [batch, query, key]


class AdditiveScores(nn.Module):
    """Additive attention scores: vᵀ tanh(W q + U k), with learned W, U and v; biases are free.

    W maps a query and U maps a key to hidden_dim features; v turns their sum, after the tanh,
    into one number. So queries and keys may have different widths. Nothing is scaled by a root.
    Vectors of 0 are scored like all others. Gradients reach both and all that learns.

    Source: Bahdanau et al. 2015, "Neural machine translation by jointly learning to
    align and translate".
    """

    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int) -> None:
        """Create W [hidden_dim, query_dim], U [hidden_dim, key_dim] and v [hidden_dim].

        Whether W and U are kept as one matrix, and v as a vector, a row or a column, is up to you,
        and so is how it all starts.
        """
        super().__init__()
        self.query_projection = nn.Linear(query_dim, hidden_dim, bias=False)
        self.key_projection = nn.Linear(key_dim, hidden_dim, bias=False)
        self.score = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """Score every query against every key of the same sentence.

        query:   [batch, query, query_dim]
        key:     [batch, key, key_dim]; both stay as they are
        returns: [batch, query, key]
        """
        queries = self.query_projection(query).unsqueeze(2)  # [batch, query, 1, hidden]
        keys = self.key_projection(key).unsqueeze(1)  # [batch, 1, key, hidden]
        return self.score(torch.tanh(queries + keys)).squeeze(-1)  # [batch, query, key]


def padding_mask(attention_mask: Tensor) -> Tensor:
    """Turn a tokenizer's attention mask into a mask over keys: nobody may attend to padding.

    Every query of a sentence may attend to the same keys, so the query axis has length 1 and
    broadcasts. The tokenizer's mask stays as it is.

    attention_mask: [batch, seq], 1 for a token and 0 for padding, integers or bool; padding may
                    stand anywhere, and fill a row
    returns:        [batch, 1, seq], bool, True = may attend
    """
    return attention_mask.bool().unsqueeze(1)  # [batch, 1, seq]


def causal_mask(seq_len: int) -> Tensor:
    """A mask that hides the future: each position may attend to itself and to what came before.

    Row i belongs to query i, column j to key j.

    seq_len: from 1 to 800
    returns: [seq, seq], bool, True = may attend; whether each call makes a new tensor is up to you
    """
    return torch.ones(seq_len, seq_len, dtype=torch.bool).tril()  # [seq, seq]


def spot_attention_scores(candidate: Callable[[Tensor, Tensor], Tensor]) -> bool:
    """Find the mistake: is this implementation of attention_scores right?

    candidate(query, key) promises what attention_scores promises. Call it on inputs of your choice
    and judge what comes back. Every right formulation must get through: rounding differs from one
    to the next by about 1e-6. A candidate that raises an error is a wrong one. Values and shape
    count; none is wrong in gradients, in dtype or in what becomes of its inputs alone.

    candidate: query [batch, query, d_k] and key [batch, key, d_k] → [batch, query, key]
    returns:   True where the candidate behaves correctly, False where it has a mistake
    """
    generator = torch.Generator().manual_seed(3)
    query = torch.randn(2, 3, 5, generator=generator)  # four sizes, no two alike, and query ≠ key
    key = torch.randn(2, 4, 5, generator=generator)
    expected = attention_scores(query, key)
    try:
        found = candidate(query.clone(), key.clone())
        return found.shape == expected.shape and torch.allclose(found, expected, atol=1e-5)
    except Exception:
        return False
