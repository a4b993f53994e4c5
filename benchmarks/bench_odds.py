"""Exact odds of a rifle squad with LMG and Leader that fires at a stack, and of a squad on a table."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from grognard.core.open_files import open_position
from grognard.core.session import Session

FARM = Path(__file__).parents[1] / "docs" / "examples" / "farm.toml"
SITUATION = """
game = "ost"
turn = 5
active = "german"
points = { german = 5, american = 5 }
[map]
columns = 12
rows = 10
[map.terrain]
brush = "D4"
woods = "D6"
[[unit]]
id = "g1"
kind = "ger_rifle"
hex = "D3"
weapons = ["ger_lmg"]
[[unit]]
id = "g2"
kind = "ger_sgt"
attached = "g1"
[[unit]]
id = "a1"
kind = "us_rifle"
hex = "D6"
[[unit]]
id = "a2"
kind = "us_sgt"
attached = "a1"
[[unit]]
id = "a3"
kind = "us_rifle"
hex = "D6"
"""


def run() -> list[tuple[str, str]]:
    """The best of many: what an idle machine would take."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "bench.toml"
        file.write_text(SITUATION)
        hexes = open_position(str(file))
    hexes.answer("fire g1")
    farm = open_position(str(FARM))
    farm.answer("unit a1")
    farm.answer("fire")
    return [
        *measure("hexes", hexes, "at a1 own+w1", 60, "under 5 ms"),
        *measure("table", farm, "at g1", 5, "under 2 s"),
    ]


def measure(where: str, session: Session, key: str, times: int, goal: str) -> list[tuple[str, str]]:
    """How long the odds of an answer take, the best of several."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        odds = session.odds(key)
        taken.append(time.perf_counter() - start)
    assert odds.exact
    return [
        (f"{where}: paths walked, outcomes", f"{odds.paths}, {len(odds.outcomes)}"),
        (f"{where}: exact odds ({goal} on an idle machine)", f"{min(taken) * 1e3:.2f} ms"),
    ]
