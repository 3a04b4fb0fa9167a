"""Ways to part a layer's projections among its attentions; knows no vectors."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from .attention_layout import AttentionPartition
from .gradient_invariants import Invariants
from .layouts import Sizes
from .parameters import Layout, Param
