"""The catalogue of known wrong turns: reads it, and makes programs of it; knows no exercise."""
