"""A pytest plugin for ``coverage run``: what a test runs, its fixtures included, is noted under the test's name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from coverage import Coverage


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """What runs until the test is over is its own."""
    measuring = Coverage.current()
    if measuring is not None:
        measuring.switch_context(item.nodeid)
    outcome = yield
    if measuring is not None:
        measuring.switch_context("")
    return outcome
