"""What the course consists of: exercises, points, hints, references; judges nothing."""
