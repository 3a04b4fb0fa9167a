"""One submission becomes marks: checks, second way, the gate; knows no class and no gradebook."""
