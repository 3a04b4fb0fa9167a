"""Reads parameters as the reference's roles, however they are laid out; runs no learner code."""
