"""What holds for all tests."""

from __future__ import annotations

import secrets
from random import Random

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes, or the making of it, tells how busy the machine is that runs the tests, and nothing about
# what they prove.
settings.register_profile("grognard", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("grognard")


@pytest.fixture(autouse=True)
def the_same_luck_every_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A battle made without a seed rolls the same dice whenever a test is run: one that passes was not lucky."""
    rng = Random(request.node.nodeid)
    monkeypatch.setattr(secrets, "token_bytes", lambda nbytes=None: rng.randbytes(nbytes or secrets.DEFAULT_ENTROPY))
