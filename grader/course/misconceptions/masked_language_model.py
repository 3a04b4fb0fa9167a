"""A model that guesses masked words, seen through what it depends on; it has no wrong turn.

How the learner's encoder and head are made is theirs: what is asked is which numbers follow which.
"""

from typing import Any

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe
from .pretrained_bert import FIELDS

USED = 15  # ids below occur; as many rows as are wide serve as a basis; the rest are foretold
SIZES: dict[str, Any] = {
    **FIELDS,
    "vocab_size": 71,
    "max_position_embeddings": 65,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
}
OTHER_SIZES: dict[str, Any] = {"hidden_size": 8, "num_attention_heads": 2, "vocab_size": 131}
# Runs beside the learner's code, with their TransformerEncoder or the course's.
HARNESS = """
import types as grader_types

import torch as grader_torch


class GraderWatch:
    def __init__(self, encoder):
        self.instead, self.answers = None, []
        self.hook = encoder.register_forward_hook(self)

    def __call__(self, module, args, answer):
        self.answers.append(answer.detach())
        return answer if self.instead is None else self.instead


def grader_near(one, other):
    return one.shape == other.shape and bool((one - other).detach().abs().max() < 2e-3)


def grader_is_scaled(model, encoder, rows, ids, vectors):
    # whether a fresh one, which hands vectors on or normalises them, makes them smaller by a root
    hidden = rows.shape[1]
    if not isinstance(model(ids), grader_torch.Tensor):
        return False
    watch = GraderWatch(encoder)
    watch.instead = 3 * vectors
    with grader_torch.no_grad():
        before = rows.clone()
        rows[:] = 0
        bias = model(ids)
        rows[:hidden] = grader_torch.eye(hidden)
        found = (model(ids) - bias)[..., :hidden]
        rows.copy_(before)
    watch.hook.remove()
    if found.shape != vectors.shape:
        return False
    for scale in (1, hidden**0.5):
        same = grader_near(found * scale, 3 * vectors)
        mean, variance = (found * scale).mean(-1), (found * scale).var(-1, unbiased=False)
        normed = grader_near(mean, 0 * mean) and grader_near(variance, 0 * mean + 1)
        if same or normed:
            return scale != 1
    return False


def grader_encoder(sizes):
    # an encoder, its token table, and the same with a row for each piece
    encoder = TransformerEncoder(grader_types.SimpleNamespace(**sizes))
    shape = (sizes["vocab_size"], sizes["hidden_size"])
    named = [p for p in encoder.parameters() if tuple(p.shape) in (shape, shape[::-1])]
    table = named[0] if named else next(encoder.parameters())
    rows = table if tuple(table.shape) == shape else table.T
    return encoder, table, rows


def grader_head(sizes, weights, vectors, tables):
    # the logits that the encoder's vectors get by each of these tables, and the head's own numbers
    grader_torch.default_generator.manual_seed(0)
    encoder, _, rows = grader_encoder(sizes)
    own = {id(p) for p in encoder.parameters()}
    model = MaskedLanguageModel(encoder).eval()
    named = [p for p in model.parameters() if id(p) not in own]
    watch = GraderWatch(encoder)
    watch.instead = vectors
    ids = vectors[..., 0].long() * 0
    logits = []
    with grader_torch.no_grad():
        for number, p in enumerate(named):
            start = 17 * number % 500
            p.copy_(weights[start : start + p.numel()].view(p.shape))
        for table in tables:
            rows.copy_(table)
            logits.append(model(ids))
    return {"logits": logits, "numbers": [p.detach() for p in named]}


def grader_masked_model(sizes, weights, ids, mask, vectors, order, used, basis):
    grader_torch.default_generator.manual_seed(0)
    encoder, table, rows = grader_encoder(sizes)
    own = list(encoder.parameters())
    trainable = [p.requires_grad for p in own]
    numbers = [p.detach().clone() for p in own]
    model = MaskedLanguageModel(encoder)
    if not isinstance(model, grader_torch.nn.Module):
        return {"form": f"It makes {type(model).__name__}; a module was expected."}
    held = {id(p) for p in model.parameters()}
    facts = {
        "holds the encoder": all(id(p) in held for p in own),
        "no other table": not any(
            p.dim() > 1 and sizes["vocab_size"] in p.shape and p.numel() > sizes["vocab_size"]
            for p in model.parameters()
            if p is not table
        ),
        "encoder still learns": [p.requires_grad for p in own] == trainable,
        "encoder as it was": all(map(grader_torch.equal, own, numbers)),
    }
    fresh = [p for p in model.parameters() if all(p is not one for one in own)]
    facts["not scaled"] = not grader_is_scaled(model.eval(), encoder.eval(), rows, ids, vectors)
    with grader_torch.no_grad():
        for number, p in enumerate([*own, *fresh]):
            start = 17 * number % 500
            p.copy_(weights[start : start + p.numel()].view(p.shape))
    model.eval()
    encoder.eval()
    right, bare = encoder(ids, mask).detach(), encoder(ids).detach()
    watch = GraderWatch(encoder)
    logits = model(ids, mask)
    if not isinstance(logits, grader_torch.Tensor):
        return {"form": f"It returns {type(logits).__name__}; one tensor was expected."}
    if tuple(logits.shape) != (*ids.shape, sizes["vocab_size"]):
        wanted = [*ids.shape, sizes["vocab_size"]]
        return {"form": f"It returns {list(logits.shape)}; {wanted} was expected."}
    asked, watch.answers = watch.answers, []
    for given in ((ids[:1], mask[:1]), (ids[:, :1],), (ids[:1, :1],)):
        found, wanted = model(*given), [*given[0].shape, sizes["vocab_size"]]
        if list(found.shape) != wanted:
            return {"form": f"It returns {list(found.shape)}; {wanted} was expected."}
    facts["form"] = ""
    facts["encoder asked"] = bool(asked)
    facts["mask handed on"] = not asked or grader_near(asked[-1], right)
    flags = model(ids, mask.bool())
    facts["bool mask"] = grader_near(flags, logits)
    watch.answers = []
    model(ids)
    facts["without a mask"] = not watch.answers or grader_near(watch.answers[-1], bare)
    one = grader_torch.ones(ids.shape)
    facts["no chances"] = not grader_near(logits.sum(-1), one)
    facts["no logarithms"] = not grader_near(logits.exp().sum(-1), one)
    facts["gradient"] = logits.requires_grad
    with grader_torch.no_grad():
        crowd = model(ids.repeat(20, 1), mask.repeat(20, 1))
    facts["alike in a crowd"] = grader_near(crowd, logits.repeat(20, 1, 1))

    piece = basis + 1
    if logits.requires_grad:
        for p in model.parameters():
            p.grad = None
        logits[..., piece].sum().backward(retain_graph=True)
        grad = grader_torch.zeros_like(table) if table.grad is None else table.grad
        grad = grad if rows is table else grad.T
        facts["table learns by guesses"] = bool(grad[piece].abs().max() > 1e-6)
        facts["table learns by reading"] = bool(grad[:used].abs().max() > 1e-6)
        facts["all learn"] = all(p.grad is not None for p in fresh)

    with grader_torch.no_grad():
        before = rows.clone()
        rows[used:] = 0
        bias = model(ids, mask)
        count = basis - used
        rows[used:basis] = grader_torch.eye(count, rows.shape[1])
        feature = (model(ids, mask) - bias)[..., used:basis]
        rows.copy_(before)
        logits_by_hand = feature @ before.T + bias[:1, :1]
        facts["follows the table"] = bool(feature.abs().max() > 1e-3)
        facts["products"] = grader_near(logits_by_hand[..., basis:], logits[..., basis:])
        rest = (logits - feature @ before.T)[..., :used]
        facts["also of pieces that are read"] = grader_near(rest, rest[:1, :1].expand_as(rest))
        shift = bias[0, 0, used:]
        facts["bias"] = bool(shift.abs().max() > 1e-3)
        facts["bias for each"] = bool((shift - shift.mean()).abs().max() > 1e-3)
        facts["bias alone"] = grader_near(bias[..., used:], 0 * bias[..., used:] + shift)
        watch.instead = vectors
        one = model(ids, mask)
        watch.instead = vectors[:, order]
        other = model(ids, mask)
        watch.instead = vectors.clone()
        watch.instead[:, 0] = vectors[:, 1].flip(0)
        alone = model(ids, mask)
        watch.instead = vectors.clone()
        watch.instead[:, 1:] = vectors[:, :-1]
        facts["more than the first"] = not grader_near(one, model(ids, mask))
        facts["far ones apart"] = grader_near(one[:, 2:], alone[:, 2:])
        watch.instead = vectors.flip(0)
        flipped = model(ids, mask)
        watch.instead = vectors.repeat(1, 9, 1)
        longer = model(ids.repeat(1, 9))
        facts["alike in a long one"] = not watch.answers or grader_near(longer, one.repeat(1, 9, 1))
        facts["each by itself"] = not watch.answers or (
            grader_near(one[:, order], other)
            and grader_near(one.flip(0), flipped)
            and grader_near(one[:, 1:], alone[:, 1:])
        )
        facts["positions differ"] = not (
            watch.answers and grader_near(one, one[:, :1].expand_as(one))
        )
        watch.instead = vectors
        model.double().float()  # the same numbers, at another place in memory
        one = model(ids, mask)
        rows = table if tuple(table.shape) == before.shape else table.T
        rows[used:] = 0
        moved = (model(ids, mask) - one)[..., used:]
        facts["tied once moved"] = not grader_near(moved, 0 * moved)
    return facts
"""


def call(generator: Generator, **sizes: Any) -> tuple[Any, ...]:
    """Arguments of the harness: random weights, ids with padding, other vectors and an order."""
    fields = {**SIZES, **sizes}
    ids = torch.randint(1, USED, (3, 7), generator=generator)
    ids[0, 3] = ids[1, 4] = ids[0, 6] = 0  # a token like any other
    mask = torch.ones(3, 7, dtype=torch.int64)
    mask[1, :2] = mask[2, 3:] = 0
    vectors = torch.randn(3, 7, fields["hidden_size"], generator=generator)
    order = torch.randperm(7, generator=generator)
    weights = torch.randn(20_000, generator=generator) * 0.4 + 0.05
    return fields, weights, ids, mask, vectors, order, USED, USED + fields["hidden_size"]


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Two encoders of different sizes."""
    return (
        Probe(call(generator)),
        Probe(call(generator, **OTHER_SIZES)),
    )


SUBJECTS = (
    FunctionSubject(
        "MaskedLanguageModel",
        probes,
        entry="grader_masked_model",
        harness=HARNESS,
        beside=("TransformerEncoder",),
    ),
)
