"""An exercise as checks hold it, and the records that tell of it; knows no check."""
