"""Counters on a map of hexes: what every hex game has, whatever its rules."""
