"""What becomes of a wish that cannot be granted; knows no wish."""


class Complaint(Exception):
    """Its text is a sentence for whoever gave the command: what is wrong, and what to do."""
