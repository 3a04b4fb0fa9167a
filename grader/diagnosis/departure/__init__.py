"""Where a learner's numbers leave those of right code; feedback alone, never a mark."""
