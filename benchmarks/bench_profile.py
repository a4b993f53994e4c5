"""Where the time of the players goes: a battle of greedy ones and decisions of the search, by module of the program.

Shares are of the time spent in a module's own lines and in what the library does for them; a profile slows short
functions down more than long ones, so they tell where to look and not how fast anything is.
"""

from __future__ import annotations

import cProfile
import pstats
from collections import Counter
from pathlib import Path

from grognard.core import open_files
from grognard.core.session import Session
from grognard.players.greedy import GreedyPlayer
from grognard.players.search import SearchPlayer
from grognard.players.seats import make_ready, pick

#: A battle of each game.
SCENARIOS = ("ost/steppe", "bolt_action/crossroads")
#: How many modules are named, how many decisions go by between two of the search, and how many of those there are.
NAMED, STRIDE, DECISIONS = 6, 12, 12


def shares(profile: cProfile.Profile) -> Counter[str]:
    """The part of the whole time that each module of ours took; what libraries did goes to who called them."""
    found: Counter[str] = Counter()
    table = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, _, _), (_, _, own, _, callers) in table.items():
        module = module_of(file)
        if module:
            found[module] += own
            continue
        whole = sum(each[2] for each in callers.values()) or 1.0
        for (other, _, _), each in callers.items():
            found[module_of(other) or "libraries among themselves"] += own * each[2] / whole
    total = sum(found.values()) or 1.0
    return Counter({name: spent / total for name, spent in found.items()})


def module_of(file: str) -> str:
    """The name of one of our modules without the package; empty for others."""
    parts = Path(file).with_suffix("").parts
    return ".".join(parts[parts.index("grognard") + 1 :]) if "grognard" in parts else ""


def line(found: Counter[str]) -> str:
    """The largest shares in one line."""
    return ", ".join(f"{name} {share:.0%}" for name, share in found.most_common(NAMED))


def run() -> list[tuple[str, str]]:
    """A battle of each game, twice: once by greedy players, once with the search looking at some decisions."""
    rows = []
    for name in SCENARIOS:
        game, scenario = open_files.open_scenario(name)
        session = Session(game, scenario, seed=b"profile")
        greedy, search = GreedyPlayer("profile"), SearchPlayer("profile", playouts=40)
        make_ready(session, [greedy])
        greedily, ahead = cProfile.Profile(), cProfile.Profile()
        count = looked = 0
        while session.ask is not None:
            count += 1
            if count % STRIDE == 0 and looked < DECISIONS:
                looked += 1
                ahead.runcall(search.choose_from, session.probe(), 0.0)
            session.answer(greedily.runcall(pick, greedy, session, float("inf")))
        rows.append((f"greedy, {name}", line(shares(greedily))))
        rows.append((f"search, {name}", line(shares(ahead))))
    return rows
