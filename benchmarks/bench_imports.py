"""Starting up: the command line against `import numpy`, each in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys
import time

ROUNDS = 9
IDLE = "pass"
GAMES = "import grognard.cli.play, grognard.core.registry as games; games.games()"


def best(code: str) -> float:
    """How long a fresh interpreter takes to run a line of code; best of several."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def run() -> list[tuple[str, str]]:
    """Imports less what an idle interpreter takes: the command line, and all that a command which plays needs."""
    idle = best(IDLE)
    numpy, cli, games = (best(code) - idle for code in ("import numpy", "import grognard.cli", GAMES))
    return [
        ("an idle interpreter", f"{idle * 1e3:.0f} ms"),
        ("import numpy", f"{numpy * 1e3:.0f} ms"),
        ("import grognard.cli", f"{cli * 1e3:.0f} ms"),
        ("import of all that play needs, with every game", f"{games * 1e3:.0f} ms"),
        ("ratio of grognard.cli to numpy (at most 3)", f"{cli / numpy:.2f} times"),
        ("ratio of all that play needs to numpy", f"{games / numpy:.2f} times"),
    ]
