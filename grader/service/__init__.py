"""Answers learners' checks over HTTP and keeps what they hand in; the wall is the cohort's."""
