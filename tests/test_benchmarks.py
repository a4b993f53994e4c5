"""The benchmarks follow the names of what they measure."""

from __future__ import annotations

from importlib import import_module

import pytest
from benchmarks import bench_company
from benchmarks.__main__ import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_can_be_run(name: str) -> None:
    assert callable(import_module(f"benchmarks.bench_{name.replace('-', '_')}").run)


def test_a_run_past_three_platoons_asks_at_most_six_times() -> None:
    assert 3 <= bench_company.questions() <= 6
