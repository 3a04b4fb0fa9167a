"""Chapter 10: attention into another sequence, a decoder layer, writing, and a text's chance."""

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn

from solutions.attention_scores import causal_mask
from solutions.feed_forward import FeedForward
from solutions.layer_norm import LayerNorm
from solutions.multi_head_attention import MultiHeadAttention, merge_heads, split_heads
from solutions.softmax import scaled_dot_product_attention


class CrossAttention(nn.Module):
    """Multi-head attention from one sequence into another: the decoder asks, the encoder answers.

    Queries come from the hidden state, keys and values from the memory, which may be longer or
    shorter. The rest is as in MultiHeadAttention: config.num_attention_heads heads, concatenated in
    order, and an output projection. Biases and dropout inside the attention are up to you. What
    stands at a hidden position of the memory makes no difference, also where scores are near 1000.
    nn.MultiheadAttention is not used.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.2.3.
    """

    def __init__(self, config: Any) -> None:
        """Create the projections of all heads and the output projection.

        config: has hidden_size and num_attention_heads, which divides hidden_size
        """
        super().__init__()
        self.num_heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.output = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden_state: Tensor, memory: Tensor, mask: Tensor | None = None) -> Tensor:
        """Let every position attend to the positions of the memory that the mask allows.

        hidden_state: [batch, query, hidden], the decoder's; stays as it is
        memory:       [batch, key, hidden], what the encoder returned; stays as it is
        mask:         [batch, 1, key] or [batch, query, key], the same for all heads; bool or 0/1
                      integers, 1 = may attend, and each query has one key at least; None =
                      everybody may attend to everybody
        returns:      [batch, query, hidden]
        """
        query = split_heads(self.query(hidden_state), self.num_heads)  # [batch, heads, query, dim]
        key = split_heads(self.key(memory), self.num_heads)  # [batch, heads, key, dim]
        value = split_heads(self.value(memory), self.num_heads)  # [batch, heads, key, dim]
        if mask is not None:
            mask = mask.unsqueeze(-3)  # [batch, 1, query, key]: one mask for all heads
        context = scaled_dot_product_attention(query, key, value, mask)
        return self.output(merge_heads(context))  # [batch, query, hidden]


class TransformerDecoderLayer(nn.Module):
    """One decoder layer, pre-norm like the course's encoder layer.

    Three parts, in this order: causal multi-head self-attention, cross-attention into the memory,
    and the feed-forward network; each has a LayerNorm of its own in front, on the hidden state
    alone, and a residual connection around norm and part. The memory is taken as it comes. No
    position ever sees a later one. Nothing is normalised after the last addition. A dropout of what
    an attention returns is up to you, and so is the norms' ε. PyTorch's own decoder layer is not
    used.

    Source: Vaswani et al. 2017, section 3.1, with the order of Xiong et al. 2020.
    """

    def __init__(self, config: Any) -> None:
        """Create both attentions, the feed-forward network and a LayerNorm for each.

        config: has hidden_size, num_attention_heads, intermediate_size, hidden_dropout_prob and
                layer_norm_eps
        """
        super().__init__()
        self.attention_norm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.attention = MultiHeadAttention(config)
        self.cross_attention_norm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.cross_attention = CrossAttention(config)
        self.feed_forward_norm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.feed_forward = FeedForward(config)

    def forward(
        self, hidden_state: Tensor, memory: Tensor, memory_mask: Tensor | None = None
    ) -> Tensor:
        """Look back at what is written, look into the memory, think it over.

        hidden_state: [batch, query, hidden], up to 2,000 positions; stays as it is
        memory:       [batch, key, hidden], what the encoder returned
        memory_mask:  [batch, 1, key] or [batch, query, key]; bool or 0/1 integers, 1 = may attend,
                      and each query has one key at least; None = everybody may attend to everybody
        returns:      [batch, query, hidden]
        """
        x = hidden_state
        # [batch, query, query]
        causal = causal_mask(x.shape[1]).to(x.device).expand(len(x), -1, -1)
        x = x + self.attention(self.attention_norm(x), causal)
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, memory_mask)
        return x + self.feed_forward(self.feed_forward_norm(x))


def greedy_decode(
    step: Callable[[list[int]], Tensor], start_id: int, end_id: int, max_length: int
) -> list[int]:
    """Write a sequence token by token, always taking the token with the highest score.

    Writing stops after end_id, or where the sequence has max_length ids. What has been taken is
    never taken back. The start never ends the sequence, even where start_id equals end_id. Of equal
    scores any may be taken. How often step is called is up to you.

    step:       takes all ids so far, start_id first, and leaves the list as it is; returns a score
                for every next token, [vocab], in any float dtype; scores may be of any size, and
                −inf, and may require gradients
    max_length: counts start_id, and end_id where it is written; from 1 to 800
    returns:    all ids, start_id first, plain numbers; the last is end_id where it was reached
    """
    ids = [start_id]
    while len(ids) < max_length:
        ids.append(int(step(list(ids)).argmax()))
        if ids[-1] == end_id:
            break
    return ids


def sequence_log_prob(scores: Tensor, goal: Tensor, pad_id: int) -> Tensor:
    """How likely does a decoder find whole texts? For each, the log of its chance.

    The chance of a token is the softmax of its place's scores, over the vocabulary. The chance of a
    text is the product over its tokens, so its log is a sum. Where goal is pad_id there is no
    token: such places count for nothing, whatever their scores are. Stable: scores such as 1000
    give neither inf nor nan. Gradients flow back to the scores; all that is given stays as it is.
    Ready-made functions are welcome.

    scores:  [batch, seq, vocab], float, from −10³⁰ to 10³⁰: at each place, for the token of goal
             there
    goal:    [batch, seq], long, from 0 to vocab − 1
    pad_id:  the id of padding, also from 0 to vocab − 1
    returns: [batch], 0 at most; 0 for a row of padding alone
    """
    chosen = scores.gather(-1, goal.unsqueeze(-1)).squeeze(-1)  # [batch, seq]
    log_chances = chosen - scores.logsumexp(dim=-1)  # [batch, seq]
    return log_chances.masked_fill(goal == pad_id, 0).sum(dim=-1)
