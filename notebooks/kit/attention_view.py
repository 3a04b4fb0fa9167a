"""bertviz without a network, and beside each of its views a still picture and words.

bertviz's pages ask a server for require.js, d3 and jQuery. Here they run inside a frame of their
own, with both libraries taken from installed packages and the network shut off by the frame itself.
"""

import html
import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from kit import attention_pictures as pictures
from kit import checkpoint
from kit.style import COLOURS, INK

# What bertviz asks of require.js: the two libraries, by name, which are there already.
STAND_IN = """
window.require = window.requirejs = (names, use) =>
  use(...names.map(name => ({jquery: window.jQuery, d3: window.d3})[name]));
require.config = () => {};
"""
NEURONS_WIDE = 1060  # pixels that the opened neuron view fills
# A view wider than the notebook's column is drawn smaller, so that nothing is cut off: again after
# each change, as a slow machine draws after the page is loaded.
FIT = """
const over = () => document.documentElement.scrollWidth - innerWidth;
const fit = () => {
  const style = document.body.style;
  style.zoom = 1;
  for (let turn = 0; innerWidth && over() > 0 && turn < 3; turn++)
    style.zoom *= innerWidth / document.documentElement.scrollWidth;
  drawn.takeRecords();
};
const drawn = new MutationObserver(fit);
addEventListener("load", () => {
  drawn.observe(document.body, {subtree: true, childList: true, attributes: true});
  fit();
});
addEventListener("resize", fit);
setInterval(() => over() > 1 && fit(), 500);  // what no event has told
"""
# No background and middle tones, so that a view fits a light and a dark notebook.
STYLE = f"""
html, body, div, span, svg {{ background: transparent !important; color: {INK} !important; }}
text {{ fill: {INK} !important; }}
rect[fill=white] {{ fill: transparent !important; }}
[stroke=blue] {{ stroke: {COLOURS[0]} !important; }}
"""
# Scripts and styles of the page itself may run; nothing may be fetched from anywhere.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
FETCHES = re.compile(r'<script src="https?://[^"]*"></script>')


@dataclass(frozen=True)
class View:
    """A view: moving in a browser, a still picture elsewhere, and always a summary in words."""

    frame: str  # HTML: one iframe that needs nothing from outside
    picture: bytes  # PNG
    summary: str

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        alt = html.escape(self.summary, quote=True)
        still = pictures.as_image_tag(self.picture, alt)
        details = f"<details><summary>The same as a still picture</summary>{still}</details>"
        shown = {
            "text/html": self.frame + details,
            "image/png": pictures.base64_of(self.picture),
            "text/plain": self.summary,
        }
        return shown, {"image/png": {"alt": self.summary}}


def head_view(
    attention: Sequence[Tensor],
    tokens: Sequence[str],
    *,
    key_tokens: Sequence[str] | None = None,
    layer: int = 0,
    heads: Sequence[int] | None = None,
    sentence_b_start: int | None = None,
) -> View:
    """Lines from each token to the tokens it attends to, one colour for each head.

    attention:  one tensor for each layer, each [1, heads, query, key]
    tokens:     the queries' pieces
    key_tokens: the keys' pieces, for cross-attention; None = the same as tokens
    layer:      the layer shown at first, from 0
    heads:      the heads shown at first, from 0; None = all
    raises:     ValueError for a layer or head that is not there, where bertviz would draw nothing
    """
    from bertviz import head_view as draw

    layers = _checked(attention, tokens, key_tokens)
    _in_range("layer", [layer], len(layers))
    chosen = _in_range("head", heads, layers[0].shape[1])
    options: dict[str, Any] = {"layer": layer, "heads": chosen, "html_action": "return"}
    page = draw(**_given(layers, tokens, key_tokens, sentence_b_start), **options).data
    height = 95 + 23 * max(len(tokens), len(key_tokens or ()))
    shown = [(f"layer {layer}, head {head}", layers[layer][0, head]) for head in chosen]
    picture, summary = pictures.heads(shown, tokens, key_tokens or tokens)
    return View(_frame(page, height, "Head view"), picture, summary)


def model_view(
    attention: Sequence[Tensor],
    tokens: Sequence[str],
    *,
    key_tokens: Sequence[str] | None = None,
    include_layers: Sequence[int] | None = None,
    include_heads: Sequence[int] | None = None,
    sentence_b_start: int | None = None,
) -> View:
    """All layers and heads at a glance, one small drawing each; a click enlarges one.

    attention:      one tensor for each layer, each [1, heads, query, key]
    include_layers: the rows, from 0; None = all
    include_heads:  the columns, from 0; None = all
    raises:         ValueError for a layer or head that is not there
    """
    from bertviz import model_view as draw

    layers = _checked(attention, tokens, key_tokens)
    rows = _in_range("layer", include_layers, len(layers))
    columns = _in_range("head", include_heads, layers[0].shape[1])
    page = draw(
        **_given(layers, tokens, key_tokens, sentence_b_start),
        include_layers=rows,
        include_heads=columns,
        display_mode="light",
        html_action="return",
    ).data
    longest = max(len(tokens), len(key_tokens or ()))
    thumbnail = longest * 7 * 12 / layers[0].shape[1] + 10
    height = int(85 + max(len(rows) * thumbnail + 40, 18 * longest + 60))
    grid = {row: {column: layers[row][0, column] for column in columns} for row in rows}
    picture, summary = pictures.grid(grid, tokens, key_tokens or tokens)
    return View(_frame(page, height, "Model view"), picture, summary)


def neuron_view(
    sentence: str, second: str | None = None, *, layer: int = 0, head: int = 0, token: int = 1
) -> View:
    """How the checkpoint's queries and keys make the weights, number by number.

    In the moving view, press the plus sign beside a token.

    second: a second sentence, or None
    token:  the query that the still picture shows; position 0 is [CLS]
    raises: ValueError for a layer, head or token that is not there
    """
    from bertviz import neuron_view as bertviz_neurons

    tokenizer = _Pieces()
    data = neurons(sentence, second)
    _in_range("layer", [layer], len(data["attn"]))
    _in_range("head", [head], len(data["attn"][0]))
    _in_range("token", [token], len(data["left_text"]))
    model = neuron_model()
    page = bertviz_neurons.show(
        model, "bert", tokenizer, sentence, second, "light", layer, head, html_action="return"
    ).data
    query, key = (torch.tensor(data[name][layer][head]) for name in ("queries", "keys"))
    weights = torch.tensor(data["attn"][layer][head])[token]
    where = f"layer {layer}, head {head}"
    picture, summary = pictures.neuron(where, query[token], key, weights, token, data["left_text"])
    height = 180 + 26 * len(data["left_text"])
    return View(_frame(page, height, "Neuron view", NEURONS_WIDE), picture, summary)


def neurons(sentence: str, second: str | None = None) -> dict[str, Any]:
    """The checkpoint's attn, queries and keys for a sentence, nested lists [layer][head][token]."""
    from bertviz.neuron_view import get_attention

    found = get_attention(neuron_model(), "bert", _Pieces(), sentence, second, True)
    return dict(found["all"])


@lru_cache(maxsize=1)
def neuron_model() -> Any:
    """bertviz's own BertModel, which also gives queries and keys, with the checkpoint's weights."""
    from bertviz.transformers_neuron_view import BertModel

    with tempfile.TemporaryDirectory() as folder:
        config = vars(checkpoint.load_config())
        Path(folder, "config.json").write_text(json.dumps(config), encoding="utf-8")
        torch.save(checkpoint.load_state_dict(), Path(folder, "pytorch_model.bin"))
        return BertModel.from_pretrained(folder, output_attentions=True).eval()


class _Pieces:
    """The little of a tokenizer that bertviz asks for, with transformers' behind it."""

    cls_token, sep_token = "[CLS]", "[SEP]"

    def __init__(self) -> None:
        self._tokenizer = checkpoint.load_tokenizer()

    def tokenize(self, text: str) -> list[str]:
        return list(self._tokenizer.tokenize(text))

    def convert_tokens_to_ids(self, pieces: list[str]) -> list[int]:
        return list(self._tokenizer.convert_tokens_to_ids(pieces))


def _checked(
    attention: Sequence[Tensor], tokens: Sequence[str], key_tokens: Sequence[str] | None
) -> list[Tensor]:
    """The attention without gradients and with three decimals, once its shape fits the tokens."""
    if attention is None or not len(attention) or any(layer is None for layer in attention):
        raise ValueError(
            "no attentions: load the model with attn_implementation='eager' and call it with "
            "output_attentions=True"
        )
    shape = (1, attention[0].shape[1], len(tokens), len(key_tokens or tokens))
    for number, layer in enumerate(attention):
        if tuple(layer.shape) != shape:
            found = list(layer.shape)
            raise ValueError(f"layer {number} is {found}, not [1, heads, query, key] {list(shape)}")
    return [(layer.detach().cpu().float() * 1000).round() / 1000 for layer in attention]


def _in_range(what: str, chosen: Sequence[int] | None, count: int) -> list[int]:
    """The chosen numbers, all of them from 0 to count − 1; None = every one."""
    numbers = list(range(count)) if chosen is None else list(chosen)
    wrong = [number for number in numbers if not 0 <= number < count]
    if wrong or not numbers:
        raise ValueError(f"no {what} {wrong or ''}: there are {count}, numbered 0 to {count - 1}")
    return numbers


def _given(
    layers: list[Tensor],
    tokens: Sequence[str],
    key_tokens: Sequence[str] | None,
    sentence_b_start: int | None,
) -> dict[str, Any]:
    """bertviz's arguments for attention within one sequence, or from one into another."""
    shown = [_harmless(token) for token in tokens]
    if key_tokens is None:
        return {"attention": layers, "tokens": shown, "sentence_b_start": sentence_b_start}
    keys = [_harmless(token) for token in key_tokens]
    return {"cross_attention": layers, "decoder_tokens": shown, "encoder_tokens": keys}


def _harmless(token: str) -> str:
    """The token as text: bertviz writes it into a script, which a "<" could end."""
    return token.replace("<", "‹").replace(">", "›")


def _frame(page: str, height: int, title: str, wide: int = 0) -> str:
    """The page inside a frame that has all it needs and may fetch nothing."""
    scripts = "".join(f"<script>{script}</script>" for script in (*_libraries(), STAND_IN, FIT))
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    body = FETCHES.sub("", _short_numbers(page))
    inner = (
        f"<!DOCTYPE html><html><head>{head}<style>{STYLE}</style>{scripts}</head>"
        f'<body style="min-width:{wide}px">{body}</body></html>'
    )
    return (
        f'<iframe title="{title}, moving: a still picture follows" '
        f'sandbox="allow-scripts" loading="lazy" '
        f'style="width:100%;height:{height}px;border:0;color-scheme:light" '
        f'srcdoc="{html.escape(inner)}"></iframe>'
    )


def _short_numbers(page: str) -> str:
    """The same page with four digits for each number: a fraction of the size."""
    return re.sub(r"-?\d+\.\d{5,}(e-?\d+)?", lambda found: f"{float(found[0]):.4g}", page)


@lru_cache(maxsize=1)
def _libraries() -> tuple[str, str]:
    """d3 version 5 and jQuery as text, from the packages mpld3 and XStatic-jQuery.

    raises: FileNotFoundError that says what to install
    """
    found = []
    wanted = {
        "mpld3": ("mpld3", "js/d3.v5.min.js"),
        "XStatic-jQuery": ("xstatic.pkg.jquery", "data/jquery.min.js"),
    }
    for package, (module, name) in wanted.items():
        spec = find_spec(module)
        places = list(spec.submodule_search_locations or ()) if spec else []
        path = next((Path(place, name) for place in places if Path(place, name).is_file()), None)
        if path is None:
            raise FileNotFoundError(f"{name} is not there. Install it:  pip install {package}")
        found.append(path.read_text(encoding="utf-8").replace("</script", r"<\/script"))
    return found[0], found[1]
