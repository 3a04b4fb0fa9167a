"""What the chapters share: pictures, the learner's earlier exercises, the checkpoint, the data set."""
