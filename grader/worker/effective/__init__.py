"""Shows a module as if it held plain tensors, whatever its parameters are; knows no exercise."""
