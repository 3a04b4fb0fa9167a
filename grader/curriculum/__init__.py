"""What a course says of its exercises: points, hints, references; judges nothing."""
