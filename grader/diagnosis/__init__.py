"""Which mistake an answer behaves like, and at which line to look; gives no marks."""
