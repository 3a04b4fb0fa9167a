"""Small changes to a learner's own code, each a slip turned back, made where that code is."""
