"""`python -m grader` is the `grader` command."""

from grader.notebook.bundle.command import main

if __name__ == "__main__":
    main()
