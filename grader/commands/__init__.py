"""What `grader` does for each of its commands, and what it prints; judges nothing."""
