"""`python -m grader` is the `grader` command."""

from .cli import main

if __name__ == "__main__":
    main()
