"""`check`, `hint` and `progress` in a notebook's own kernel; keeps no file."""
