"""Measurements as ratios within one run: `python -m benchmarks`. Nothing here is asserted by a test."""
