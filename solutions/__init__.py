"""The reference: every exercise solved, one module a chapter; knows PyTorch and no grading."""
