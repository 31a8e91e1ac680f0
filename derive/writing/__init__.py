"""What was derived, as a problem file in C and in LaTeX."""
