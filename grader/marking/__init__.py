"""One submission becomes marks: checks, second way, redaction; knows no class and no gradebook."""
