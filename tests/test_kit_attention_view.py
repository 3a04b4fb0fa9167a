"""bertviz's three views draw with no network, refuse what is not there, and come with words."""

import base64
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

NOTEBOOKS = str(Path(__file__).parents[1] / "notebooks")
SENTENCE = "Time flies like an arrow"
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    monkeypatch.delenv("COURSE_CHECKPOINT", raising=False)
    from kit import attention_view

    return attention_view


@pytest.fixture(scope="module")
def attention() -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(1, 4, 5, 5, generator=generator).softmax(-1) for _ in range(3)]


TOKENS = ["time", "flies", "like", "an", "arrow"]


def test_a_view_holds_its_libraries_and_asks_for_nothing(
    kit: Any, attention: list[torch.Tensor]
) -> None:
    for view in (kit.head_view(attention, TOKENS), kit.model_view(attention, TOKENS)):
        assert "https://d3js.org v5" in view.frame and "jQuery v3.7" in view.frame
        assert "default-src &#x27;none&#x27;" in view.frame
        assert not re.search(r"(src|href)=(&quot;|\")https?:", view.frame)
        assert 'sandbox="allow-scripts"' in view.frame
        assert view.picture.startswith(b"\x89PNG")
        bundle, metadata = view._repr_mimebundle_()
        assert base64.b64decode(bundle["image/png"]) == view.picture
        assert bundle["text/plain"] == metadata["image/png"]["alt"] == view.summary
        assert f'<img alt="{html.escape(view.summary)}"' in bundle["text/html"]


@pytest.mark.parametrize("heads", [[4], [-1], [21], []])
def test_heads_that_are_not_there_are_refused(
    kit: Any, attention: list[torch.Tensor], heads: list[int]
) -> None:
    with pytest.raises(ValueError, match="there are 4, numbered 0 to 3"):
        kit.head_view(attention, TOKENS, heads=heads)
    with pytest.raises(ValueError, match="there are 4, numbered 0 to 3"):
        kit.model_view(attention, TOKENS, include_heads=heads)


def test_layers_that_are_not_there_are_refused(kit: Any, attention: list[torch.Tensor]) -> None:
    with pytest.raises(ValueError, match=r"no layer \[3\]: there are 3, numbered 0 to 2"):
        kit.head_view(attention, TOKENS, layer=3)
    with pytest.raises(ValueError, match=r"no layer \[-1, 3\]"):
        kit.model_view(attention, TOKENS, include_layers=[-1, 0, 3])


def test_attentions_that_do_not_fit_are_refused(kit: Any, attention: list[torch.Tensor]) -> None:
    with pytest.raises(ValueError, match=r"not \[1, heads, query, key\] \[1, 4, 4, 4\]"):
        kit.head_view(attention, TOKENS[:4])
    for missing in (None, [], [None, None]):
        with pytest.raises(ValueError, match="attn_implementation='eager'"):
            kit.head_view(missing, TOKENS)


def test_the_summary_tells_where_each_query_looks(kit: Any) -> None:
    weights = torch.tensor([[[[0.75, 0.25], [0.5, 0.5]], [[0.25, 0.75], [1.0, 0.0]]]])
    view = kit.head_view([weights], ["a", "b"], heads=[1])
    assert view.summary == "Each query's largest weight. layer 0, head 1: a → b 0.75, b → a 1.00."
    view = kit.model_view([weights], ["a", "b"])
    assert "the most peaked is layer 0, head 1" in view.summary


def test_a_token_cannot_end_the_script(kit: Any) -> None:
    view = kit.head_view([torch.ones(1, 1, 1, 1)], ["</script><script>alert(1)</script>"])
    assert "alert(1)&lt;/script" not in view.frame


@torch.no_grad()
def test_the_neuron_views_weights_are_those_of_transformers(kit: Any) -> None:
    from kit import checkpoint

    batch = checkpoint.load_tokenizer()(SENTENCE, return_tensors="pt")
    right = checkpoint.load_bert()(**batch, output_attentions=True).attentions
    found = kit.neurons(SENTENCE)["attn"]
    for own, theirs in zip(found, right, strict=True):
        assert (torch.tensor(own) - theirs[0]).abs().max() < 2e-6
    with pytest.raises(ValueError, match=r"no head \[12\]"):
        kit.neuron_view(SENTENCE, head=12)


def until(frame: Any, script: str, arg: Any = None) -> None:
    """Until a script's answer is true; a frame's own policy lets nothing ask again within it."""
    for _ in range(600):
        if frame.evaluate(script, arg):
            return
        frame.page.wait_for_timeout(50)
    raise AssertionError(f"30 seconds long it was not so: {script}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM.exists():
        pytest.skip("needs chromium: apt-get install chromium")
    with playwright.sync_playwright() as started:
        yield started.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)


@pytest.mark.browser
def test_what_is_drawn_late_fits_its_frame_too(kit: Any, browser: Any, tmp_path: Path) -> None:
    frame = kit.head_view([torch.ones(1, 1, 1, 1)], ["time"]).frame.replace('loading="lazy"', "")
    (tmp_path / "page.html").write_text(f'<meta charset="utf-8">{frame}', encoding="utf-8")
    page = browser.new_context(offline=True, viewport={"width": 900, "height": 600}).new_page()
    page.goto((tmp_path / "page.html").as_uri())
    view = page.query_selector("iframe").content_frame()
    until(view, "document.querySelectorAll('svg rect, svg line').length > 1")
    assert view.evaluate("document.body.style.zoom") == "1"
    view.evaluate("document.querySelector('#vis').style.width = '2000px'")
    until(view, "document.documentElement.scrollWidth - window.innerWidth <= 1")
    assert float(view.evaluate("document.body.style.zoom")) < 0.5
    page.set_viewport_size({"width": 2100, "height": 600})
    until(view, "document.body.style.zoom === '1'")


@pytest.mark.browser
def test_all_views_draw_and_move_without_a_network(
    kit: Any, attention: list[torch.Tensor], browser: Any, tmp_path: Path
) -> None:
    views = [
        kit.head_view(attention, TOKENS, layer=1, heads=[2]),
        kit.head_view([layer[:, :, :2] for layer in attention], TOKENS[:2], key_tokens=TOKENS),
        kit.model_view(attention, TOKENS),
        kit.neuron_view(SENTENCE),
    ]
    frames = "".join(view.frame for view in views).replace('loading="lazy"', "")
    (tmp_path / "page.html").write_text(f'<meta charset="utf-8">{frames}', encoding="utf-8")
    page = browser.new_context(offline=True, viewport={"width": 900, "height": 2000}).new_page()
    errors: list[str] = []
    requests: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    page.on("request", lambda request: requests.append(request.url))
    page.goto((tmp_path / "page.html").as_uri())
    elements = page.query_selector_all("iframe")
    head, _cross, model, neuron = found = [element.content_frame() for element in elements]
    for frame in found:
        until(frame, "document.querySelectorAll('svg rect, svg line').length > 20")
        until(frame, "document.documentElement.scrollHeight === window.innerHeight")
        until(frame, "document.documentElement.scrollWidth - window.innerWidth <= 1")

    has_changed = "before => document.querySelector('#vis').innerHTML !== before"
    before = head.locator("#vis").inner_html()
    head.select_option("#layer", "2")
    until(head, has_changed, before)

    box = elements[2].bounding_box()
    before = model.locator("#vis").inner_html()
    page.mouse.click(box["x"] + 100, box["y"] + 70)
    until(model, has_changed, before)

    assert neuron.locator("#expanded").get_attribute("visibility") == "hidden"
    neuron.locator("#collapsed text", has_text="flies").first.hover()
    neuron.locator("#collapsed .plus-sign:visible").first.click(force=True)
    is_open = "document.querySelector('#expanded').getAttribute('visibility') === 'visible'"
    until(neuron, is_open)
    page.screenshot(path=str(tmp_path / "views.png"))

    assert errors == []
    assert [url for url in requests if not url.startswith("file:")] == []
