"""What holds for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# How long an example takes, or the making of it, tells how busy the machine is that runs the tests, and nothing about
# what they prove.
settings.register_profile("grognard", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("grognard")
