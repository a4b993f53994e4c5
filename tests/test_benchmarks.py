"""The benchmarks follow the names of what they measure."""

from __future__ import annotations

from importlib import import_module

import pytest
from benchmarks.__main__ import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_can_be_run(name: str) -> None:
    assert callable(import_module(f"benchmarks.bench_{name.replace('-', '_')}").run)
