"""The untrusted side: a learner's code and PyTorch; holds no check, expected value or reference."""
