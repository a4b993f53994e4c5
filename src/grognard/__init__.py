"""Grognard: World War II tactical wargames by the book."""

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """What notebooks want, loaded when it is asked for: ``grognard.simulate``."""
    if name == "simulate":
        from grognard.lab.run import simulate

        return simulate
    raise AttributeError(f"module 'grognard' has no attribute {name!r}")
