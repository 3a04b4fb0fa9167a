"""`python -m grader` is the `grader` command."""

from grader.bundle.command import main

if __name__ == "__main__":
    main()
