"""`python -m grader` is the `grader` command."""

from .cli import app

if __name__ == "__main__":
    app(prog_name="grader")
