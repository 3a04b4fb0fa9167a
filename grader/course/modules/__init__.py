"""The course's modules as mathematics: their layouts, probes, sizes and subjects."""
