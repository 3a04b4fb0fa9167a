"""Which mistake an answer behaves like, and where it departs; gives no marks."""
