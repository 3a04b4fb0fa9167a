"""`check`, `hint` and `progress` in a notebook's own kernel; knows no gradebook and no report."""
