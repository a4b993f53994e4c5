"""``python -m tests.transcripts``: games that every change of the house must leave as they are.

Every scenario of every game is played three times at random and three times by the greedy player. Of each question
the side, the keys that were offered and the one that was given are written down, with the dice thrown and the state
that came of it; no sentence, so that words may change. The transcript itself would be megabytes: kept are digests of
all that went before, one after every so many answers, so that a difference is found near where it began.

``--write`` makes the files anew, which is due only when rules, scenarios or tactics are meant to play differently.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from math import inf
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, Protocol

from grognard.core import registry
from grognard.core.ask import Ask
from grognard.core.events import Rolled
from grognard.core.session import Session
from grognard.players.greedy import GreedyPlayer
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import start

FOLDER = Path(__file__).parent / "conformance" / "transcripts"
#: After so many answers a digest is kept, and a game is followed for so many answers, by player.
APART = 10
LENGTHS = {"random": 3000, "greedy": 300}
SEEDS = range(3)


class Played(NamedTuple):
    """A game of the transcripts: which battle, by whom and with which dice."""

    game: str
    scenario: str
    player: str
    seed: int

    @property
    def name(self) -> str:
        """What its line of the file begins with."""
        return f"{self.scenario} {self.player} {self.seed}"


class Chooser(Protocol):
    """Answers the question that stands."""

    def __call__(self, session: Session, ask: Ask) -> str: ...


def games(only: str = "") -> list[Played]:
    """All games of the transcripts whose name has a word in it."""
    found = [
        Played(game.name, scenario, player, seed)
        for game in registry.games()
        for scenario in sorted(game.scenario_files())
        for player in LENGTHS
        for seed in SEEDS
    ]
    return [each for each in found if only in f"{each.game} {each.name}"]


def chooser(player: str, seed: int) -> Chooser:
    """How a player answers; neither looks at sentences."""
    if player == "random":
        anybody = RandomPlayer(seed)
        return lambda session, ask: anybody.choose(None, ask)
    greedy = GreedyPlayer(seed)
    return lambda session, ask: greedy.choose_from(session.probe(), inf)


def lines(played: Played, length: int) -> Iterator[str]:
    """The transcript, a line an answer."""
    session = start(played.game, played.scenario, played.seed)
    choose = chooser(played.player, played.seed)
    for _ in range(length):
        ask = session.ask
        if ask is None:
            return
        asked = f"{ask.side} {int(ask.quiet)}{int(bool(ask.reaction))}"
        offered = "|".join(option.key for option in ask.options)
        key = choose(session, ask)
        rolls = [(event.dice, event.faces) for event in session.answer(key) if isinstance(event, Rolled)]
        yield f"{asked} {offered} > {key} {rolls} {session.digest}"


def digests(played: Played, length: int = 0) -> list[str]:
    """A digest after every so many answers, each of all that went before."""
    whole = hashlib.blake2b(digest_size=4)
    found, count = [], 0
    for count, line in enumerate(lines(played, length or LENGTHS[played.player]), 1):
        whole.update(line.encode())
        if count % APART == 0:
            found.append(whole.hexdigest())
    if count % APART:
        found.append(whole.hexdigest())
    return found


def kept(game: str) -> dict[str, list[str]]:
    """What the file of a game says, by the name of the played game."""
    path = FOLDER / f"{game}.txt"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return {name: words.split() for name, words in rows}


def difference(played: Played, length: int = 0) -> str:
    """Where a game goes another way than its transcript; "" if it does not."""
    known = kept(played.game).get(played.name)
    if known is None:
        return "no transcript of this game"
    found = digests(played, length)
    for number, (one, other) in enumerate(zip(found, known, strict=False)):
        if one != other:
            return f"differs in answers {number * APART + 1} to {(number + 1) * APART}"
    if not length and len(found) != len(known):
        return f"{len(found) * APART} answers or a little less, not {len(known) * APART}"
    return ""


def main() -> int:
    """Play all games, and say which differ; or write them down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="only games with this in their name, such as 'ost steppe'")
    parser.add_argument("--write", action="store_true", help="make the files anew")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    wanted = games(chosen.only)
    with ProcessPoolExecutor(chosen.jobs, mp_context=get_context("spawn")) as pool:
        if chosen.write:
            written = {played: pool.submit(digests, played) for played in wanted}
            FOLDER.mkdir(exist_ok=True)
            for game in sorted({played.game for played in wanted}):
                rows = kept(game) if chosen.only else {}
                rows |= {played.name: each.result() for played, each in written.items() if played.game == game}
                text = "".join(f"{name}\t{' '.join(rows[name])}\n" for name in sorted(rows))
                (FOLDER / f"{game}.txt").write_text(text, encoding="utf-8")
            return 0
        found = {played: pool.submit(difference, played) for played in wanted}
        wrong = [f"{played.game} {played.name}: {said}" for played, each in found.items() if (said := each.result())]
    print("\n".join(wrong) or f"{len(wanted)} games are as they were")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
