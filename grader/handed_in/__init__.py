"""Reads the cells out of what was handed in, in whatever form it came; parses and runs no code."""
