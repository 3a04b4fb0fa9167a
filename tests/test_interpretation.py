"""Holds the search to known mistakes of every module, and to right code in odd layouts."""

from __future__ import annotations

import gc
import runpy
import weakref

import pytest
import torch
from torch import nn

from benchmarks.variants import Variant, same_mathematics, variants
from grader.candidate.candidate import Candidate
from grader.course.modules.module_subjects import equal_sizes, module_subject
from grader.curriculum.references import reference, reference_source
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.interpretation.behaviour import observed
from grader.diagnosis.interpretation.search import interpret
from grader.diagnosis.latest import Latest
from grader.notebook.in_process import check_in_kernel
from grader.worker.answering import Service
from tests.candidates import Here, loaded
from tests.corpus import case

MODULES = tuple(e.name for e in syllabus().exercises if e.kind == "module")
LIKELY = 2  # `make mutation` tries all


def likely() -> list[Variant]:
    return [made for name in MODULES for made in variants(name, LIKELY)]


@pytest.mark.parametrize("made", likely(), ids=lambda made: f"{made.exercise}-{made.name}")
def test_a_known_mistake_is_caught_and_named_rightly(made: Variant) -> None:
    mark = check_in_kernel(made.exercise, made.candidate).mark
    assert mark.verdict != "passed"
    named = frozenset(diagnosis.id for diagnosis in mark.diagnosis)
    assert named, "not named"
    right = bool(named & made.switches)
    assert right or same_mathematics(made.exercise, made.switches, named)


@pytest.mark.parametrize(("seed", "name"), list(enumerate(MODULES)))
def test_the_reference_passes_with_any_seed(name: str, seed: int) -> None:
    mark = check_in_kernel(name, reference(name), seed).mark
    assert mark.verdict == "passed", [c.message for c in mark.checks if c.message]
    assert mark.diagnosis == ()


@pytest.mark.parametrize("seed", [11, 20, 21])
def test_what_shifts_a_single_number_is_read_with_any_seed(seed: int) -> None:
    """Its slope is found by arithmetic, and is not always 1 to the last digit."""
    name = "TransformerForSequenceClassification"
    own = case(f"{name}/right/columns_by_label_biases_apart").path.read_text("utf-8")
    code = f"{reference_source('TransformerEncoder')}\n{own}"
    assert interpret(observed(equal_sizes(name), loaded(name, code), seed)) is not None


@pytest.mark.parametrize("name", MODULES)
def test_the_usual_layout_is_among_the_first(name: str) -> None:
    service = Service()
    service.bind({name: reference(name)}, None)
    subject = module_subject(name)
    assert subject is not None
    evidence = observed(subject, Candidate(name, Here(service)), 1)
    assert interpret(evidence, most=2) is not None


def test_references_that_are_kept_hold_on_to_nothing_of_a_learners() -> None:
    subject = module_subject("LayerNorm")
    assert subject is not None
    clashing = frozenset({"unbiased_variance", "mean_kept_below"})

    def asked() -> list[weakref.ref[torch.Tensor]]:
        numbers = {name: torch.ones(shape) for name, shape in subject.reference().shapes.items()}
        subject.run(numbers, torch.ones(2, 3, 7))
        for _ in range(2):
            with pytest.raises(ValueError, match="one place"):
                subject.run(numbers, torch.ones(2, 3, 7), on=clashing)
        return [weakref.ref(each) for each in numbers.values()]

    held = asked()
    gc.collect()
    assert held and not any(each() is not None for each in held)


def test_what_was_asked_for_last_is_kept_the_longest() -> None:
    kept: Latest[str, int] = Latest(2)
    kept["a"], kept["b"] = 1, 2
    assert kept["a"] == 1
    kept["c"] = 3
    assert {*kept} == {"a", "c"}


def test_edits_that_make_no_program_together_are_no_reading() -> None:
    service = Service()
    service.bind({"CrossAttention": reference("CrossAttention")}, None)
    subject = module_subject("CrossAttention")
    assert subject is not None
    evidence = observed(subject, Candidate("CrossAttention", Here(service)), 1)
    # The second asks for the name that the first has taken away.
    both = frozenset({"queries_with_queries", "keys_with_keys"})
    assert interpret(evidence, both) is None


def test_every_sized_exercise_is_judged_at_two_sizes() -> None:
    fixed = {"AttentionHead", "LayerNorm", "AdditiveScores"}
    assert {n for n in MODULES if module_subject(n, other=True) is None} == fixed


class Interleaved(nn.Module):
    """Query, key and value of one head side by side, as GPT-NeoX and BLOOM store them."""

    def __init__(self, config: object) -> None:
        super().__init__()
        self.heads = config.num_attention_heads  # type: ignore[attr-defined]
        width = config.hidden_size  # type: ignore[attr-defined]
        self.everything = nn.Linear(width, 3 * width)
        self.back = nn.Linear(width, width, bias=False)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        batch, length, width = x.shape
        packed = self.everything(x).view(batch, length, self.heads, 3, -1).permute(3, 0, 2, 1, 4)
        query, key, value = packed.unbind(0)  # each [batch, heads, seq, head_dim]
        scores = query @ key.mT * query.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask[:, None] == 0, -1e9)
        found = scores.softmax(-1) @ value
        return self.back(found.transpose(1, 2).reshape(batch, length, width))


class Selfish(Interleaved):
    """The same without any attention: every token keeps its own value."""

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        batch, length, width = x.shape
        packed = self.everything(x).view(batch, length, self.heads, 3, -1).permute(3, 0, 2, 1, 4)
        query, key, value = packed.unbind(0)
        found = value + 0 * (query + key)
        return self.back(found.transpose(1, 2).reshape(batch, length, width))


@pytest.mark.parametrize(("layout", "verdict"), [(Interleaved, "passed"), (Selfish, "failed")])
def test_layouts_of_attention(layout: type[nn.Module], verdict: str) -> None:
    assert check_in_kernel("MultiHeadAttention", layout).mark.verdict == verdict


@pytest.mark.parametrize("seed", range(4))
def test_a_gain_may_have_either_sign(seed: int) -> None:
    one = case("MultiHeadAttention/right/gain_over_normalised_weight")
    made = runpy.run_path(str(one.path))[one.exercise]
    assert check_in_kernel(one.exercise, made, seed).mark.verdict == "passed"


class Echo(nn.Module):
    """Nothing is attended to; on sharp scores several mistakes together nearly give the same."""

    def __init__(self, config: object) -> None:
        super().__init__()
        width = config.hidden_size  # type: ignore[attr-defined]
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        query, _, _ = (project(x) for project in (self.query, self.key, self.value))
        found: torch.Tensor = self.out(query)
        return found


def test_mistakes_that_hold_for_sharp_scores_alone_are_not_named() -> None:
    mark = check_in_kernel("MultiHeadAttention", Echo).mark
    assert mark.verdict == "failed"
    assert [each.id for each in mark.diagnosis] == ["own_value"]  # which holds for all


KINDS = (torch.complex64, torch.complex128, torch.float8_e5m2, torch.bool, torch.int64)


class Unreadable(nn.Module):
    """Beside nothing else, parameters that can play no role: of odd kinds, and without a number."""

    def __init__(self, config: object) -> None:
        super().__init__()
        size = config.hidden_size  # type: ignore[attr-defined]
        self.odd = nn.ParameterList(
            nn.Parameter(torch.ones(size, size).to(kind), requires_grad=False) for kind in KINDS
        )
        self.empty = nn.ParameterList(nn.Parameter(torch.zeros(0, 2**40)) for _ in range(3))

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        return x * self.odd[0].abs().sum() + sum(each.sum() for each in self.empty)


class Beside(Interleaved):
    """Right code beside them."""

    def __init__(self, config: object) -> None:
        super().__init__(config)
        self.beside = Unreadable(config)


@pytest.mark.parametrize("layout", [Unreadable, Beside])
def test_parameters_without_readable_numbers_play_no_role(layout: type[nn.Module]) -> None:
    mark = check_in_kernel("MultiHeadAttention", layout).mark
    assert not [c.message for c in mark.checks if "could not be checked" in c.message]
    essential = mark.checks[0].outcome
    assert essential == ("failed" if layout is Unreadable else "passed")
