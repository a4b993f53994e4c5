"""Shared fixtures of the tests of Bolt Action."""

from __future__ import annotations

import os

# The figures that come with the game are tested, not those of whoever runs the tests.
os.environ.setdefault("XDG_DATA_HOME", "/nonexistent")
