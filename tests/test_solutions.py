"""The reference gives what PyTorch's own building blocks give, and imports PyTorch alone."""

import ast
import importlib
import inspect
import math
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from solutions.attention_scores import AdditiveScores, attention_scores, causal_mask, padding_mask
from solutions.classification_head import (
    TransformerEncoder,
    TransformerForSequenceClassification,
    cross_entropy,
    train_step,
)
from solutions.decoder import CrossAttention
from solutions.embeddings import Embeddings, embed_one_hot, sinusoidal_encoding
from solutions.feed_forward import FeedForward, gelu
from solutions.layer_norm import LayerNorm, PostNormEncoderLayer, TransformerEncoderLayer
from solutions.multi_head_attention import (
    AttentionHead,
    MultiHeadAttention,
    merge_heads,
    split_heads,
)
from solutions.softmax import masked_softmax, scaled_dot_product_attention, softmax
from solutions.start_here import sentence_vector
from tests.beside_torch import CONFIG, MASK, close, copy_attention, shaken

EXERCISES = {
    "start_here": "sentence_vector",
    "tokenization": "wordpiece_tokenize pad_batch split_words encode spot_tokenization",
    "embeddings": "embed_one_hot sinusoidal_encoding Embeddings spot_embeddings",
    "attention_scores": "attention_scores AdditiveScores padding_mask causal_mask "
    "spot_attention_scores",
    "softmax": "softmax masked_softmax scaled_dot_product_attention spot_softmax",
    "multi_head_attention": "split_heads merge_heads AttentionHead MultiHeadAttention "
    "spot_multi_head_attention",
    "feed_forward": "gelu FeedForward spot_feed_forward",
    "layer_norm": "LayerNorm TransformerEncoderLayer PostNormEncoderLayer spot_layer_norm",
    "classification_head": "TransformerEncoder TransformerForSequenceClassification cross_entropy "
    "train_step spot_classification_head",
    "pretrained_bert": "Pooler BertEncoder load_bert_weights mean_pool",
    "decoder": "CrossAttention TransformerDecoderLayer greedy_decode sequence_log_prob",
    "inside_bert": "linear_probe patch_head share_of_way",
    "writing": "mask_tokens MaskedLanguageModel next_token_loss sample KeyValueCache spot_writing",
    "induction": "induction_score",
    "sealed_machines": "fewest_heads sealed_a sealed_b sealed_c",
}


@pytest.mark.parametrize("chapter", EXERCISES)
def test_module_holds_its_exercises_and_imports_torch_alone(chapter: str) -> None:
    module = importlib.import_module(f"solutions.{chapter}")
    source = Path(inspect.getfile(module)).read_text(encoding="utf-8")
    allowed = {*sys.stdlib_module_names, "torch", "solutions"}
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert {name.partition(".")[0] for name in names} <= allowed
    for name in EXERCISES[chapter].split():
        exercise = getattr(module, name)
        parts = [exercise]
        if inspect.isclass(exercise):
            parts += [
                vars(exercise)[name]
                for name in ("__init__", "forward", "update")
                if name in vars(exercise)
            ]
        assert all(part.__module__ == module.__name__ and part.__doc__ for part in parts)
        assert inspect.getsource(exercise) in source
    assert len(source.splitlines()) <= 300


def test_start_here_and_scores() -> None:
    x = torch.randn(2, 3, 4)
    close(sentence_vector(x), torch.stack([sum(row) / 3 for row in x]))
    query, key = torch.randn(2, 3, 5), torch.randn(2, 4, 5)
    close(attention_scores(query, key), torch.einsum("bid,bjd->bij", query, key) / math.sqrt(5))
    additive, other = AdditiveScores(5, 6, 7), torch.randn(2, 4, 6)
    w, u, v = (part.detach() for part in additive.parameters())
    found = additive(query, other)
    assert found.shape == (2, 3, 4)
    close(found[1, 2, 3].detach(), (v @ torch.tanh(w @ query[1, 2] + u @ other[1, 3]))[0])
    assert padding_mask(torch.tensor([[1, 0]])).tolist() == [[[True, False]]]
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True] * 3]


def test_softmax_and_its_gradient() -> None:
    for dim in (0, 1, -1):
        own, theirs = (torch.linspace(-900, 900, 60).view(3, 4, 5).requires_grad_() for _ in "ab")
        cotangent = torch.randn(3, 4, 5)
        for x, function in ((own, softmax), (theirs, torch.softmax)):
            (function(x, dim) * cotangent).sum().backward()
        close(softmax(own, dim), torch.softmax(theirs, dim))
        close(own.grad, theirs.grad)
    scores = torch.randn(2, 6, 7)
    for mask in (MASK, MASK.bool(), causal_mask(7)[:6], torch.ones(2, 6, 7).tril(1)):
        filled = scores.masked_fill(mask == 0, -torch.inf)
        close(masked_softmax(scores, mask), filled.softmax(-1))


@pytest.mark.parametrize("mask", [None, MASK, MASK.bool(), torch.ones(2, 6, 7).tril(1)])
def test_attention_is_torch_s(mask: Tensor | None) -> None:
    query, key, value = torch.randn(2, 6, 5), torch.randn(2, 7, 5), torch.randn(2, 7, 4)
    keep = None if mask is None else mask.bool()
    expected = F.scaled_dot_product_attention(query, key, value, keep)
    close(scaled_dot_product_attention(query, key, value, mask), expected)


def test_heads() -> None:
    x = torch.randn(2, 7, 12)
    heads = split_heads(x, 3)
    assert torch.equal(heads, torch.stack(x.split(4, dim=-1), dim=1))
    assert torch.equal(merge_heads(heads), x)
    head = AttentionHead(12, 4)
    query, key, value = head.query(x), head.key(x), head.value(x)
    close(head(x, MASK), F.scaled_dot_product_attention(query, key, value, MASK.bool()))
    own, theirs = shaken(MultiHeadAttention(CONFIG)), nn.MultiheadAttention(12, 3, batch_first=True)
    copy_attention(own, theirs)
    close(own(x, MASK), theirs(x, x, x, key_padding_mask=MASK[:, 0] == 0)[0])
    close(own(x, causal_mask(7)), theirs(x, x, x, attn_mask=~causal_mask(7))[0])
    cross, memory = shaken(CrossAttention(CONFIG)), torch.randn(2, 9, 12)
    copy_attention(cross, theirs)
    hide = torch.arange(9) > torch.tensor([[3], [8]])
    close(cross(x, memory, ~hide[:, None]), theirs(x, memory, memory, key_padding_mask=hide)[0])
    with pytest.raises(ValueError, match="5 heads do not divide 12"):
        MultiHeadAttention(SimpleNamespace(hidden_size=12, num_attention_heads=5))


def test_feed_forward_and_layer_norm() -> None:
    x = torch.linspace(-6, 6, 101)
    close(gelu(x), F.gelu(x))
    for scale in (1, 1e-4):
        own, theirs = LayerNorm(4, 1e-8), nn.LayerNorm(4, 1e-8)
        theirs.load_state_dict(shaken(own).state_dict())
        x = torch.randn(2, 3, 4) * scale
        close(own(x), theirs(x))
        cotangent = torch.randn(2, 3, 4)
        found = torch.autograd.grad(own(x), list(own.parameters()), cotangent)
        expected = torch.autograd.grad(theirs(x), list(theirs.parameters()), cotangent)
        for one, other in zip(found, expected, strict=True):
            close(one, other)
    assert LayerNorm(4).eps == 1e-12


@pytest.mark.parametrize("kind", [TransformerEncoderLayer, PostNormEncoderLayer])
def test_encoder_layer_is_torch_s(kind: type[nn.Module]) -> None:
    pre = kind is TransformerEncoderLayer
    own, x = shaken(kind(CONFIG)), torch.randn(2, 7, 12)
    theirs = nn.TransformerEncoderLayer(12, 3, 20, 0.0, F.gelu, 1e-3, True, norm_first=pre)
    copy_attention(own.attention, theirs.self_attn)
    theirs.linear1.load_state_dict(own.feed_forward.expand.state_dict())
    theirs.linear2.load_state_dict(own.feed_forward.contract.state_dict())
    theirs.norm1.load_state_dict(own.attention_norm.state_dict())
    theirs.norm2.load_state_dict(own.feed_forward_norm.state_dict())
    close(own(x, MASK), theirs(x, src_key_padding_mask=MASK[:, 0] == 0), 1e-5)


def test_embeddings() -> None:
    ids, table = torch.randint(29, (2, 7)), torch.randn(29, 12)
    assert torch.equal(embed_one_hot(ids, table), table[ids])
    encoding = sinusoidal_encoding(300, 8)
    for position, feature in [(0, 0), (0, 1), (7, 2), (7, 5), (299, 6), (299, 7)]:
        angle = position / 10000 ** (feature // 2 * 2 / 8)
        value = math.cos(angle) if feature % 2 else math.sin(angle)
        assert math.isclose(encoding[position, feature], value, abs_tol=1e-6)
    own, types = shaken(Embeddings(CONFIG)), torch.randint(2, (2, 7))
    total = own.token.weight[ids] + own.position.weight[:7] + own.token_type.weight[types]
    close(own(ids, types), F.layer_norm(total, (12,), own.norm.weight, own.norm.bias, 1e-3))
    assert torch.equal(own(ids), own(ids, torch.zeros_like(ids)))
    assert own.to("meta")(ids.to("meta")).device.type == "meta"


def test_padding_changes_nothing() -> None:
    model, ids = shaken(TransformerEncoder(CONFIG)), torch.randint(29, (2, 7))
    close(model(ids, MASK[:, 0])[0, :3], model(ids[:1, :3])[0], 1e-5)
    assert model(ids, MASK[:, 0].bool()).equal(model(ids, MASK[:, 0]))
    assert len({id(layer) for layer in model.layers}) == 2
    classifier = TransformerForSequenceClassification(CONFIG)
    close(classifier(ids, MASK[:, 0])[:1], classifier(ids[:1, :3]), 1e-5)


def test_dropout_where_the_contract_says() -> None:
    config = SimpleNamespace(**{**vars(CONFIG), "hidden_dropout_prob": 0.5})
    ids, x = torch.randint(29, (8, 7)), torch.randn(8, 7, 12)
    for module, given in ((Embeddings(config), ids), (FeedForward(config), x)):
        zeros = (module(given) == 0).float().mean()
        assert 0.4 < zeros < 0.6 and not (module.eval()(given) == 0).any()
    classifier = TransformerForSequenceClassification(config)
    classifier.encoder.eval()
    assert not torch.equal(classifier(ids), classifier(ids))


def test_cross_entropy_and_a_step() -> None:
    logits, labels = torch.tensor([[900.0, -900, 0], [1, 2, 3]]), torch.tensor([1, 0])
    close(cross_entropy(logits, labels), F.cross_entropy(logits, labels))
    own, theirs = (TransformerForSequenceClassification(CONFIG) for _ in "ab")
    theirs.load_state_dict(own.eval().state_dict())
    ids, labels = torch.randint(29, (2, 7)), torch.tensor([4, 1])
    optimizer = torch.optim.SGD(own.parameters(), 0.1)
    own.classifier.bias.grad = torch.full((5,), 1e3)  # left from earlier
    loss = F.cross_entropy(theirs(ids, MASK[:, 0]), labels)
    found = train_step(own, optimizer, ids, MASK[:, 0], labels)
    assert isinstance(found, float) and math.isclose(found, loss.item(), rel_tol=1e-5)
    assert own.training
    loss.backward()
    for one, other in zip(own.parameters(), theirs.parameters(), strict=True):
        close(one, other if other.grad is None else other - 0.1 * other.grad)
