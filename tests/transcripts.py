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
from collections import Counter
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
#: What was told in the beginnings of games: how often each rule was named, and to whose events.
TOLD = FOLDER / "told"
#: After so many answers a digest is kept, and a game is followed for so many answers, by player.
APART = 10
LENGTHS = {"random": 3000, "greedy": 300}
#: How far a game is followed where only its beginning is, and for what it tells.
BEGINNINGS = {"random": 150, "greedy": 20}
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


class Answered(NamedTuple):
    """What came of an answer: a line of the transcript, and each rule that was told, with the side of its event."""

    line: str
    told: list[str]


def follow(played: Played, length: int) -> Iterator[Answered]:
    """The transcript, answer by answer."""
    session = start(played.game, played.scenario, played.seed)
    choose = chooser(played.player, played.seed)
    for _ in range(length):
        ask = session.ask
        if ask is None:
            return
        asked = f"{ask.side} {int(ask.quiet)}{int(bool(ask.reaction))}"
        offered = "|".join(option.key for option in ask.options)
        key = choose(session, ask)
        events = session.answer(key)
        rolls = [(event.dice, event.faces) for event in events if isinstance(event, Rolled)]
        told = [f"{event.side or 'nobody'}:{rule}" for event in events for rule in event.rules]
        yield Answered(f"{asked} {offered} > {key} {rolls} {session.digest}", told)


class Followed(NamedTuple):
    """A game that was followed: a digest after every so many answers, each of all that went before; what was told."""

    digests: list[str]
    told: list[str]


def followed(played: Played, length: int = 0) -> Followed:
    """Follow a game; what is told counts in its beginning."""
    whole = hashlib.blake2b(digest_size=4)
    found, count = [], 0
    told: Counter[str] = Counter()
    for count, answered in enumerate(follow(played, length or LENGTHS[played.player]), 1):
        whole.update(answered.line.encode())
        if count % APART == 0:
            found.append(whole.hexdigest())
        if count <= BEGINNINGS[played.player]:
            told.update(answered.told)
    if count % APART:
        found.append(whole.hexdigest())
    return Followed(found, [f"{what}={told[what]}" for what in sorted(told)])


def kept(game: str, folder: Path = FOLDER) -> dict[str, list[str]]:
    """What a file of a game says, by the name of the played game."""
    path = folder / f"{game}.txt"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return {name: words.split() for name, words in rows}


def difference(played: Played, length: int = 0) -> str:
    """Where a game goes another way than its transcript, or tells of other rules; "" if it does not."""
    known = kept(played.game).get(played.name)
    if known is None:
        return "no transcript of this game"
    found, told = followed(played, length)
    for number, (one, other) in enumerate(zip(found, known, strict=False)):
        if one != other:
            return f"differs in answers {number * APART + 1} to {(number + 1) * APART}"
    if not length and len(found) != len(known):
        return f"{len(found) * APART} answers or a little less, not {len(known) * APART}"
    if length and length < BEGINNINGS[played.player]:
        return ""
    before = kept(played.game, TOLD).get(played.name, [])
    lost, new = sorted({*before} - {*told}), sorted({*told} - {*before})
    return f"told {' '.join(lost) or 'nothing'}; now {' '.join(new) or 'nothing'}" if lost or new else ""


def _write(game: str, folder: Path, found: dict[str, list[str]], *, anew: bool) -> None:
    """Write a file of a game anew, or lay what was found over it."""
    rows = found if anew else {**kept(game, folder), **found}
    text = "".join(f"{name}\t{' '.join(rows[name])}\n" for name in sorted(rows))
    (folder / f"{game}.txt").write_text(text, encoding="utf-8")


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
            written = {played: pool.submit(followed, played) for played in wanted}
            TOLD.mkdir(parents=True, exist_ok=True)
            for game in sorted({played.game for played in wanted}):
                done = {played.name: each.result() for played, each in written.items() if played.game == game}
                _write(game, FOLDER, {name: each.digests for name, each in done.items()}, anew=not chosen.only)
                _write(game, TOLD, {name: each.told for name, each in done.items()}, anew=not chosen.only)
            return 0
        found = {played: pool.submit(difference, played) for played in wanted}
        wrong = [f"{played.game} {played.name}: {said}" for played, each in found.items() if (said := each.result())]
    print("\n".join(wrong) or f"{len(wanted)} games are as they were")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
