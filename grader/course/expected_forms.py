"""What each exercise takes and gives back, as its docstring says; knows no value of any answer."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

from ..notebook.bundle.forms import SIZES, Form, Given, unlike

VOCAB = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "time": 5, "fl": 6}
VOCAB |= {"##ies": 7, "like": 8, "an": 9, "arrow": 10}
CONFIG = SimpleNamespace(
    vocab_size=11,
    max_position_embeddings=16,
    type_vocab_size=2,
    hidden_size=8,
    num_attention_heads=2,
    num_hidden_layers=2,
    intermediate_size=12,
    hidden_dropout_prob=0.1,
    attention_probs_dropout_prob=0.0,
    hidden_act="gelu",
    layer_norm_eps=1e-12,
    num_labels=7,
)


REAL = Given("b s h")
IDS = Given("b s", "ids")
KEPT = Given("b s", "mask")  # a tokenizer's attention mask
SEEN = Given("b s s", "mask")


def _texts(*given: Any) -> Callable[[Any], str]:
    """Whether a function gives a list of texts for these arguments."""

    def look(function: Any) -> str:
        found = function(*given)
        is_list = isinstance(found, list) and all(isinstance(each, str) for each in found)
        return "" if is_list else "It should return a list of texts."

    return look


def _encoded(encode: Any) -> str:
    found = encode("time flies", "like an arrow", dict(VOCAB), max_length=9)
    names = {"input_ids", "token_type_ids", "attention_mask"}
    if not isinstance(found, dict) or set(found) != names:
        return "It should return a dict of input_ids, token_type_ids and attention_mask."
    if len({len(found[name]) for name in names}) != 1:
        return "The three lists should have the same length."
    return "" if len(found["input_ids"]) <= 9 else "It should return max_length ids at most."


def _padded(pad_batch: Any) -> str:
    given = [[5, 6], [7, 8, 9, 10], [5]]
    found = pad_batch(given, 0)
    if given != [[5, 6], [7, 8, 9, 10], [5]]:
        return "The lists that it is given should stay as they are."
    return _two_tensors(found, (3, 4), "input_ids", "attention_mask")


def _two_tensors(found: Any, shape: tuple[int, ...], *names: str) -> str:
    """What is wrong with a pair of tensors of whole numbers."""
    if not isinstance(found, tuple) or len(found) != 2:
        return "It should return two tensors."
    pairs = zip(names, found, strict=True)
    return next(filter(None, (unlike(each, shape, torch.long, name) for name, each in pairs)), "")


class _Tiny(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(SIZES["v"], SIZES["c"])

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        logits: Tensor = self.table(input_ids).sum(1)
        return logits


def _trained(train_step: Any) -> str:
    model, generator = _Tiny(), torch.Generator().manual_seed(0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = model.table.weight.detach().clone()
    labels = Given("b", "ids").draw(generator)
    found = train_step(model, optimizer, IDS.draw(generator), KEPT.draw(generator), labels)
    if not isinstance(found, float):
        return "It should return a Python float."
    return "" if not torch.equal(before, model.table.weight) else "No parameter of the model moved."


def _written(greedy_decode: Any) -> str:
    scores = torch.zeros(SIZES["v"])
    found = greedy_decode(lambda _: scores, 2, 3, 6)
    if not isinstance(found, list) or found[:1] != [2]:
        return "It should return a list of ids that begins with start_id."
    return "" if len(found) <= 6 else "It should return max_length ids at most."


def _chosen(fewest_heads: Any) -> str:
    found = fewest_heads(lambda speak: torch.tensor([len(speak)]), 3)
    is_list = isinstance(found, list) and all(type(head) is int for head in found)
    return "" if is_list else "It should return a list of plain numbers."


def _masked(mask_tokens: Any) -> str:
    ids = IDS.draw(torch.Generator().manual_seed(0))
    kept = ids.clone()
    found = mask_tokens(ids, dict(VOCAB), torch.Generator().manual_seed(1))
    if not torch.equal(ids, kept):
        return "The ids that it is given should stay as they are."
    return _two_tensors(found, tuple(ids.shape), "masked", "labels")


def _sampled(sample: Any) -> str:
    logits = torch.randn(SIZES["b"], SIZES["v"], generator=torch.Generator().manual_seed(0))
    draws = [sample(logits, torch.Generator().manual_seed(1), top_k=3) for _ in range(2)]
    problem = unlike(draws[0], (SIZES["b"],), torch.long, "The result")
    same = "The same state of the generator should give the same answer."
    return problem or ("" if torch.equal(*draws) else same)


def _remembered(cache_class: Any) -> str:
    cache = cache_class()
    for length in (2, 3):
        found = cache.update(torch.ones(3, 2, length, 4), torch.ones(3, 2, length, 4))
    if not isinstance(found, tuple) or len(found) != 2:
        return "update should return two tensors."
    return unlike(found[0], (3, 2, 5, 4), torch.float32, "The first of what update returns")


_QUERY = {"query": Given("b q d"), "key": Given("b k d")}
_SEES = Given("b q k", "mask")
_MASKED = {"mask": SEEN}
_LAYER = Form({"x": REAL, **_MASKED}, "b s h", made_with=(CONFIG,), mask="mask")
FORMS: dict[str, Form] = {
    "sentence_vector": Form({"hidden_state": REAL}, "b h"),
    "split_words": Form(look=_texts("Time flies like an arrow.")),
    "wordpiece_tokenize": Form(look=_texts("flies", dict(VOCAB))),
    "encode": Form(look=_encoded),
    "pad_batch": Form(look=_padded),
    "embed_one_hot": Form({"token_ids": IDS, "table": Given("v h")}, "b s h", alone=False),
    "sinusoidal_encoding": Form({"max_len": 5, "hidden_size": 8}, "s h", smooth=False, alone=False),
    "Embeddings": Form({"input_ids": IDS}, "b s h", made_with=(CONFIG,)),
    "attention_scores": Form(_QUERY, "b q k", moved="query"),
    "AdditiveScores": Form(_QUERY, "b q k", made_with=(4, 4, 9), moved="query"),
    "padding_mask": Form({"attention_mask": KEPT}, "b 1 s", torch.bool, smooth=False),
    "causal_mask": Form({"seq_len": 5}, "s s", torch.bool, alone=False, smooth=False),
    "softmax": Form({"x": Given("b s m"), "dim": -1}, "b s m", moved="x"),
    "masked_softmax": Form({"scores": Given("b q k"), "mask": _SEES}, "b q k", mask="mask"),
    "scaled_dot_product_attention": Form(
        {**_QUERY, "value": Given("b k m"), "mask": _SEES}, "b q m", mask="mask"
    ),
    "split_heads": Form({"x": REAL, "num_heads": 2}, "b n s d"),
    "merge_heads": Form({"x": Given("b n s d")}, "b s h"),
    "AttentionHead": Form(
        {"hidden_state": REAL, **_MASKED}, "b s d", made_with=(8, 4), mask="mask"
    ),
    "MultiHeadAttention": Form(
        {"hidden_state": REAL, **_MASKED}, "b s h", made_with=(CONFIG,), mask="mask"
    ),
    "gelu": Form({"x": REAL}, "b s h", moved="x"),
    "FeedForward": Form({"x": REAL}, "b s h", made_with=(CONFIG,), moved="x"),
    "LayerNorm": Form({"x": REAL}, "b s h", made_with=(8,), moved="x"),
    "TransformerEncoderLayer": _LAYER,
    "PostNormEncoderLayer": _LAYER,
    "TransformerEncoder": Form(
        {"input_ids": IDS, "mask": KEPT}, "b s h", made_with=(CONFIG,), mask="mask"
    ),
    "TransformerForSequenceClassification": Form(
        {"input_ids": IDS, "mask": KEPT}, "b c", made_with=(CONFIG,), mask="mask"
    ),
    "cross_entropy": Form({"logits": Given("b c"), "labels": Given("b", "ids")}, "", alone=False),
    "train_step": Form(look=_trained),
    "Pooler": Form({"hidden_state": REAL}, "b h", made_with=(CONFIG,)),
    "BertEncoder": Form(
        {"input_ids": IDS, "attention_mask": KEPT},
        "b s h",
        made_with=(CONFIG,),
        mask="attention_mask",
    ),
    "mean_pool": Form({"hidden_state": REAL, "attention_mask": KEPT}, "b h", mask="attention_mask"),
    "CrossAttention": Form(
        {"hidden_state": Given("b q h"), "memory": Given("b k h"), "mask": _SEES},
        "b q h",
        made_with=(CONFIG,),
        mask="mask",
    ),
    "TransformerDecoderLayer": Form(
        {"hidden_state": Given("b q h"), "memory": Given("b k h"), "memory_mask": _SEES},
        "b q h",
        made_with=(CONFIG,),
        mask="memory_mask",
    ),
    "greedy_decode": Form(look=_written),
    "sequence_log_prob": Form({"scores": Given("b s v"), "goal": IDS, "pad_id": 0}, "b"),
    "mask_tokens": Form(look=_masked),
    "next_token_loss": Form({"logits": Given("b s v"), "input_ids": IDS}, "", alone=False),
    "sample": Form(look=_sampled),
    "KeyValueCache": Form(look=_remembered),
    "linear_probe": Form(
        {
            "vectors": Given("b h"),
            "labels": Given("b", "mask"),
            "asked": Given("q h"),
            "ridge": 2.0,
        },
        "q",
        alone=False,
        smooth=False,
    ),
    "patch_head": Form({"found": REAL, "instead": REAL, "head": 1, "num_heads": 2}, "b s h"),
    "share_of_way": Form(
        {"patched": Given("n s k"), "start": Given("k"), "goal": Given("k")},
        "n s",
        alone=False,
        smooth=False,
    ),
    "induction_score": Form(
        {"attention": Given("b n s s"), "input_ids": IDS}, "n", alone=False, smooth=False
    ),
    "fewest_heads": Form(look=_chosen),
    **dict.fromkeys(
        ("sealed_a", "sealed_b", "sealed_c"), Form({"rows": IDS}, "b s", torch.long, smooth=False)
    ),
}
