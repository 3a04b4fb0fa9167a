"""What the chapters share: pictures, earlier exercises, the checkpoint, the data set."""
