"""Chapter 00, start here: one vector for a sentence; it must not know any later chapter."""

from torch import Tensor


def sentence_vector(hidden_state: Tensor) -> Tensor:
    """One vector for each sentence: the average of the vectors of its tokens.

    Every sentence of the batch is averaged by itself, feature by feature. A vector of zeros is a
    token like any other. The input stays as it is, and gradients flow back to every token.

    hidden_state: [batch, seq, hidden], one vector for each token
    returns:      [batch, hidden], one vector for each sentence
    """
    return hidden_state.mean(dim=1)  # [batch, hidden]
