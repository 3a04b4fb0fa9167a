"""Writes what is handed out: bundles of the course without its answers, an autograder's zip."""
