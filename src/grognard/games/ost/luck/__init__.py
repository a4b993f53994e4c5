"""Luck cards: when they are drawn and played, and what each does."""
