"""Trains the three sealed machines of chapter 14 and writes their weights.

    OMP_NUM_THREADS=1 .venv/bin/python scripts/sealed_machines.py

For authors. It tells what the machines compute: learners' bundles leave this folder out.
"""

import itertools
import sys
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional as F

from solutions.sealed_machines import sealed_a, sealed_b, sealed_c

sys.path.append(str(Path(__file__).resolve().parent.parent / "notebooks"))
from kit.sealed import HEADS, LENGTH, LETTERS, WEIGHTS, Sealed

STEPS = 3000
ALL = tuple(range(HEADS))
# name → what it learns, how many answers, layers, and the sets of heads that shall be enough
MACHINES = {
    "A": (sealed_a, len(LETTERS), 1, [(1,), (3,)]),
    "B": (sealed_b, 2, 1, [(2,)]),
    "C": (sealed_c, len(LETTERS), 2, [(0, 3)]),
}


def drawn(count: int, chance: torch.Generator) -> Tensor:
    """Rows of letters; a third have few different ones, so that many stand twice."""
    few = torch.randint(2, len(LETTERS), (count, 1), generator=chance)
    few = torch.where(torch.rand(count, 1, generator=chance) < 1 / 3, few, len(LETTERS))
    names = torch.rand(count, len(LETTERS), generator=chance).argsort(-1)
    picked = (torch.rand(count, LENGTH, generator=chance) * few).long()
    return names.gather(-1, picked)


def trained(
    rule: Callable[[Tensor], Tensor], machine: Sealed, enough: list[tuple[int, ...]]
) -> Sealed:
    """Learns the rule; in every second step only some heads speak that shall be enough."""
    chance = torch.Generator().manual_seed(14)
    optimizer = torch.optim.AdamW(machine.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=STEPS)
    for step in range(STEPS):
        rows = drawn(128, chance)
        kept = enough[step // 2 % len(enough)]
        others = torch.rand(HEADS, generator=chance) < 0.5
        speak = [step % 2 or head in kept or (step % 4 and bool(others[head])) for head in ALL]
        scores, _ = machine(rows, torch.tensor(speak).float())
        loss = F.cross_entropy(scores.flatten(0, 1), rule(rows).flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return machine.eval()


def main() -> None:
    """Train, say for all sets of heads how many rows are right, and write."""
    every = torch.cartesian_prod(*[torch.arange(len(LETTERS))] * LENGTH)  # all that there are
    weights = {}
    for name, (rule, answers, layers, enough) in MACHINES.items():
        torch.manual_seed(1)
        machine = trained(rule, Sealed(answers, layers), enough)
        weights |= {f"{name}.{key}": value for key, value in machine.state_dict().items()}
        print(f"{name}: {right(machine, rule, every):.4%} of all {len(every):,} rows", flush=True)
        for count in range(HEADS):
            for heads in itertools.combinations(ALL, count):
                print(f"{heads} alone: {right(machine, rule, every[::97], heads):.2%}", flush=True)
    save_file(weights, WEIGHTS)


def right(
    machine: Sealed,
    rule: Callable[[Tensor], Tensor],
    rows: Tensor,
    heads: tuple[int, ...] = ALL,
) -> float:
    """The share of the rows whose every answer is the rule's."""
    same = [(machine.answer(part, heads) == rule(part)).all(-1) for part in rows.split(20_000)]
    return float(torch.cat(same).float().mean())


if __name__ == "__main__":
    main()
