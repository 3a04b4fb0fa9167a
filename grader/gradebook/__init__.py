"""The marks of a class in one file, read, written and compared; marks nothing."""
