"""Grognard: World War II tactical wargames by the book."""

__version__ = "0.1.0"
