"""What a model is, and what is derived of it: the values that the other packages hand to each other."""
