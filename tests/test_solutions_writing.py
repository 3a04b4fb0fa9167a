"""What decodes and writes text gives what PyTorch's own building blocks give."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from solutions.attention_scores import causal_mask
from solutions.classification_head import TransformerEncoder
from solutions.decoder import TransformerDecoderLayer, greedy_decode, sequence_log_prob
from solutions.softmax import scaled_dot_product_attention
from solutions.writing import (
    SPECIAL,
    KeyValueCache,
    MaskedLanguageModel,
    mask_tokens,
    next_token_loss,
    sample,
    spot_writing,
)
from tests.beside_torch import CONFIG, MASK, close, copy_attention, shaken


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def test_decoder_layer_is_torch_s() -> None:
    own = shaken(TransformerDecoderLayer(CONFIG))
    x, memory = torch.randn(2, 4, 12), torch.randn(2, 7, 12)
    theirs = nn.TransformerDecoderLayer(12, 3, 20, 0.0, F.gelu, 1e-3, True, norm_first=True)
    copy_attention(own.attention, theirs.self_attn)
    copy_attention(own.cross_attention, theirs.multihead_attn)
    theirs.linear1.load_state_dict(own.feed_forward.expand.state_dict())
    theirs.linear2.load_state_dict(own.feed_forward.contract.state_dict())
    theirs.norm1.load_state_dict(own.attention_norm.state_dict())
    theirs.norm2.load_state_dict(own.cross_attention_norm.state_dict())
    theirs.norm3.load_state_dict(own.feed_forward_norm.state_dict())
    expected = theirs(x, memory, tgt_mask=~causal_mask(4), memory_key_padding_mask=MASK[:, 0] == 0)
    close(own(x, memory, MASK), expected, 1e-5)


def test_sequence_log_prob() -> None:
    scores, goal = torch.randn(3, 5, 7), torch.randint(1, 7, (3, 5))
    goal[1, 3:], goal[2] = 0, 0
    losses = F.cross_entropy(scores.mT, goal, ignore_index=0, reduction="none")
    torch.testing.assert_close(sequence_log_prob(scores, goal, 0), -losses.sum(-1))


def test_greedy_decode() -> None:
    follow = {1: 4, 4: 2, 2: 3}
    step = lambda ids: F.one_hot(torch.tensor(follow[ids[-1]]), 5).float()  # noqa: E731
    assert greedy_decode(step, 1, 3, 10) == [1, 4, 2, 3]
    assert greedy_decode(step, 1, 3, 3) == [1, 4, 2]
    assert greedy_decode(step, 1, 3, 1) == [1]
    assert greedy_decode(lambda ids: torch.eye(3)[len(ids) % 3], 2, 2, 9) == [2, 1, 2]


def test_masked_words() -> None:
    vocab = {piece: index for index, piece in enumerate([*SPECIAL, *"abcdefghijkl"])}
    ids = torch.arange(len(vocab)).repeat(2000, 1)
    masked, labels = mask_tokens(ids, vocab, torch.Generator().manual_seed(0), rate=0.5)
    chosen = labels >= 0
    assert torch.equal(labels[chosen], ids[chosen]) and not chosen[:, :5].any()
    assert torch.equal(masked[~chosen], ids[~chosen])
    assert abs(float(chosen[:, 5:].float().mean()) - 0.5) < 0.02
    assert abs(float((masked[chosen] == vocab["[MASK]"]).float().mean()) - 0.8) < 0.02
    assert abs(float((masked[chosen] == ids[chosen]).float().mean()) - 0.106) < 0.02
    again = mask_tokens(ids, vocab, torch.Generator().manual_seed(0), rate=0.5)
    assert torch.equal(again[0], masked) and torch.equal(again[1], labels)


def test_masked_language_model_is_tied() -> None:
    encoder = shaken(TransformerEncoder(CONFIG))
    model, ids = shaken(MaskedLanguageModel(encoder)), torch.randint(20, (2, 7))
    before = model(ids, MASK[:, 0])
    assert before.shape == (2, 7, 29)
    with torch.no_grad():
        encoder.embeddings.token.weight[25] += 1
    changed = (model(ids, MASK[:, 0]) - before).abs().amax((0, 1)) > 1e-4
    assert changed.nonzero().tolist() == [[25]]


def test_next_token_loss_and_its_spot() -> None:
    logits, ids = torch.randn(3, 6, 5), torch.randint(5, (3, 6))
    expected = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:])
    close(next_token_loss(logits, ids), expected)
    assert spot_writing(next_token_loss)
    assert not spot_writing(lambda x, y: F.cross_entropy(x.flatten(0, 1)[:-1], y.flatten()[1:]))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [0.5, 0.3, 0.15, 0.05]),
        ({"temperature": 0.5}, [0.685, 0.247, 0.062, 0.007]),
        ({"top_k": 2}, [0.625, 0.375, 0, 0]),
        ({"top_k": 9}, [0.5, 0.3, 0.15, 0.05]),
        ({"top_p": 0.7}, [0.625, 0.375, 0, 0]),
        ({"top_p": 0.01}, [1, 0, 0, 0]),
        ({"top_k": 3, "top_p": 0.84}, [0.625, 0.375, 0, 0]),
    ],
)
def test_sample(settings: dict[str, float], expected: list[float]) -> None:
    logits = torch.tensor([0.5, 0.3, 0.15, 0.05]).log().repeat(20_000, 1)
    ids = sample(logits, torch.Generator().manual_seed(0), **settings)
    close(torch.bincount(ids, minlength=4) / 20_000, torch.tensor(expected).float(), 0.02)


def test_key_value_cache_gives_what_attention_without_it_gives() -> None:
    query, key, value = torch.randn(3, 2, 3, 6, 4).unbind()
    whole = scaled_dot_product_attention(query, key, value, causal_mask(6))
    cache, parts, done = KeyValueCache(), [], 0
    for size in (3, 1, 2):
        new = slice(done, done + size)
        done += size
        keys, values = cache.update(key[:, :, new], value[:, :, new])
        mask = causal_mask(done)[-size:]
        parts.append(scaled_dot_product_attention(query[:, :, new], keys, values, mask))
    close(torch.cat(parts, 2), whole)
