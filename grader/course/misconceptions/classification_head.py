"""Inputs of cross_entropy, and train_step seen through a tiny model; knows no wrong turn."""

from typing import Any

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def loss_probes(generator: Generator) -> tuple[Probe, ...]:
    """Ordinary logits, then logits on which only a stable formulation survives."""
    draw = standard_normal(generator)
    large = torch.tensor([[500.0, 501.0, 0.0], [0.0, 1.0, 2.0]])
    very_sure = torch.tensor([[300.0, 0.0], [0.0, -200.0]])
    return (
        Probe((draw(3, 5) * 2, torch.tensor([4, 0, 2])), gradient=True),
        Probe((draw(4, 3), torch.tensor([1, 1, 0, 2]))),
        Probe((draw(2, 2), torch.tensor([1, 0])), label="two labels"),
        Probe((large, torch.tensor([0, 2])), label="large logits"),
        Probe((torch.tensor([[12.0, 0.0], [0.0, -11.0]]), torch.tensor([1, 1])), label="mistakes"),
        Probe((torch.tensor([[30.0, 0.0], [0.0, -28.0]]), torch.tensor([1, 1])), label="sure ones"),
        Probe((very_sure, torch.tensor([1, 0])), label="very sure"),
        Probe((9 * draw(521, 3), torch.arange(521) % 3), label="a large batch"),
    )


OF_HEAD = slice(7 * 4, 7 * 4 + 4 * 4)  # of all numbers of the model, those of its head

# Runs beside the learner's code: a model whose numbers depend on its mode and on its mask.
HARNESS = """
import torch as grader_torch


class GraderPart(grader_torch.nn.Module):
    def forward(self, summed):
        return summed * (1.0 if self.training else 0.5)


class GraderModel(grader_torch.nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = grader_torch.nn.Parameter(weight.clone())
        self.head = grader_torch.nn.Parameter(grader_torch.eye(weight.shape[1]) + 0.25)
        self.shift = grader_torch.nn.Parameter(grader_torch.zeros(weight.shape[1]))
        self.part = GraderPart()
        self.seen = []

    def forward(self, input_ids, mask=None, *, attention_mask=None):
        mask = attention_mask if mask is None else mask
        given = zip(self.given, (input_ids, mask))
        same = [one.dtype == two.dtype and one.equal(two) for one, two in given if two is not None]
        self.seen.append([self.training, mask is not None, *same])
        if mask is None:
            mask = grader_torch.ones_like(input_ids)
        vectors = self.weight[input_ids] * mask.to(self.weight.dtype).unsqueeze(-1)
        return self.part(vectors.sum(1)) @ self.head + self.shift


def grader_numbers(model):
    return grader_torch.cat([one.detach().flatten() for one in model.parameters()])


def grader_train_steps(weight, batches, rate, training, left_over):
    model = GraderModel(weight)
    model.train(training is not False)
    if training is None:
        model.part.eval()
    held = list(model.parameters())
    groups = [{"params": held[:1]}, {"params": held[1:]}]  # as where some do not decay
    optimizer = grader_torch.optim.SGD(groups, lr=rate, momentum=0.5)
    if left_over:
        for one in model.parameters():
            one.grad = grader_torch.full_like(one, left_over)
    start = grader_numbers(model)
    losses, kinds, weights = [], [], []
    for input_ids, mask, labels in batches:
        model.given = input_ids.clone(), mask.clone()
        loss = train_step(model, optimizer, input_ids, mask, labels)
        is_tensor = isinstance(loss, grader_torch.Tensor)
        tracked = is_tensor and loss.requires_grad
        kinds.append(type(loss).__name__ + (" with its graph" if tracked else ""))
        single = isinstance(loss, float) or is_tensor and loss.numel() == 1
        losses.append(float(loss.detach() if is_tensor else loss) if single else None)
        weights.append(grader_numbers(model))
    found = {"losses": losses, "kinds": kinds, "weights": weights, "start": start}
    modes = [module.training for module in model.modules()]
    return {**found, "training": model.training, "throughout": all(modes), "seen": model.seen}
"""


def batch(generator: Generator, rows: int, seq: int, vocab: int, labels: int) -> tuple[Any, ...]:
    """Random ids with padding at the end of the first row and in front of the last, and labels."""
    ids = torch.randint(0, vocab, (rows, seq), generator=generator)
    mask = torch.ones(rows, seq, dtype=torch.int64)
    mask[-1, 0] = 0
    mask[0, seq - 2 :] = 0
    return ids, mask, torch.randint(0, labels, (rows,), generator=generator)


def step_probes(generator: Generator) -> tuple[Probe, ...]:
    """Steps in training mode, from evaluation mode, beside gradients left over, by large ones."""

    def steps(count: int, training: bool, left_over: bool, scale: float = 1.0) -> Probe:
        weight = scale * torch.randn(7, 4, generator=generator)
        batches = [batch(generator, 3, 5, 7, 4) for _ in range(count)]
        return Probe((weight, batches, 0.5, training, left_over))

    usual = steps(3, True, False), steps(2, False, False), steps(2, True, True)
    return (*usual, steps(1, True, False, scale=50.0))


SUBJECT = FunctionSubject("train_step", step_probes, entry="grader_train_steps", harness=HARNESS)


SUBJECTS = (FunctionSubject("cross_entropy", loss_probes), SUBJECT)
