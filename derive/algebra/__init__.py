"""Expressions: derivatives, identities, forms that take few operations, linear systems."""
