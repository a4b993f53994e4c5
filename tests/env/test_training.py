"""The example of the page on learning learns: in a short form, with its own seed."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "train.py"
GAMES, TESTS = 96, 60


def example() -> Any:
    """The example as a module."""
    spec = spec_from_file_location("train_example", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_learnt_beats_random() -> None:
    train = example()
    learnt = train.train("american", GAMES, seed=1)
    before = train.measure("american", None, TESTS, seed=2)
    after = train.measure("american", learnt.weights, TESTS, seed=2)
    assert after.low > before.high, f"{before.say()} at random, {after.say()} after {GAMES} games"
