"""Lagrange's equations of a Model, and coordinates that constraints are solved for."""
