"""The untrusted side: a learner's code and PyTorch; holds no check, expected value or reference.

zygote.py forks a worker, enclose.py closes it in, worker_loop.py answers for it, and namespace.py
executes the learner's code there. What that prints is lost: a worker's output goes nowhere.
"""
