"""derive: from a mechanical model in words to a problem file in C, by Lagrange's equations of the first kind."""
