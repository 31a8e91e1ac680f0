"""derive: from a mechanical model in words to a problem file in C, by Lagrange's equations of the first kind.

A text becomes a Model (words), this Equations (mechanics) and Modes with events (switching), and these a file
(writing). Each package takes from those before it: base, algebra, words, mechanics, switching, writing; command.py
is the command line.
"""
