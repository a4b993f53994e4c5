"""``python -m grognard``."""

from grognard.cli import main

main()
