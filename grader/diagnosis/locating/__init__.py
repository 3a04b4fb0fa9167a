"""At which line of theirs a learner should look; feedback alone, never a mark."""
