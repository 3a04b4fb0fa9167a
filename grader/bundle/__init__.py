"""The course without its answers: writes such a bundle, and is what a bundle does by itself."""
