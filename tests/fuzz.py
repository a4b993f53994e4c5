"""``python -m tests.fuzz``: thousands of games of anything that is legal, with the invariants after every answer.

Answers are drawn at random, and now and then the greedy player gives one, so that games come to places where chance
alone never goes. Every scenario of every game is played, and battles made at random; the smaller a battle the more
often. A game follows from the seed and its number, so what went wrong can be played again: ``--again NUMBER``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from math import inf
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from grognard.core import registry, resuming
from grognard.core.drafts import Draft
from grognard.core.errors import GrognardError, IllegalError
from grognard.core.forms import spoil
from grognard.core.game import Game
from grognard.core.open_files import listed, open_scenario
from grognard.core.session import Session
from grognard.players.greedy import GreedyPlayer
from grognard.players.random import RandomPlayer

#: Of the answers of a game so many are the greedy player's, and how often a game is of that kind.
SHARES = {0.0: 60, 0.02: 30, 0.1: 9, 0.5: 1}
#: Of the answers to questions that take a draft, so many are drafts.
DRAWN = 0.4
#: After so many answers everybody's view is made; in so many games the save is read again.
LOOK, READ = 40, 8
#: Battles made at random count as one of so many units.
RANDOM_UNITS = 14
#: Nobody's own charts.
os.environ.setdefault("XDG_DATA_HOME", "/nonexistent")
CONSOLE = Console(highlight=False)


class WrongError(Exception):
    """Something that must always hold does not."""


class Plan(NamedTuple):
    """A game to be played: its number, its battle, its seed and the greedy player's share of the answers."""

    number: int
    battle: str
    seed: str
    share: float


class Row(msgspec.Struct, kw_only=True):
    """A game that was played. ``wrong`` says what was found, after which answer; "" for nothing."""

    number: int
    battle: str
    seed: str
    share: float
    answers: int = 0
    over: bool = False
    seconds: float = 0.0
    side: str = ""
    prompt: str = ""
    key: str = ""
    wrong: str = ""


def plans(games: int, seed: str, only: str = "") -> list[Plan]:
    """The games of a seed: each battle as often as its size allows, spread evenly, whatever the number of games."""
    sizes = {f"{each.game.name}/{each.name}": int(each.summary["units"]) for each in listed()}
    sizes |= {f"random:game={game.name}": RANDOM_UNITS for game in registry.games() if _draws(game)}
    weights = {name: units**-2 for name, units in sorted(sizes.items()) if only in name}
    if not weights:
        raise GrognardError(f"no battle has {only!r} in its name; there are {', '.join(sorted(sizes))}")
    due = dict.fromkeys(weights, 0.0)
    found = []
    for number in range(games):
        for name, weight in weights.items():
            due[name] += weight
        name = max(due, key=lambda name: due[name])
        due[name] -= sum(weights.values())
        rng = Random(f"{seed} {number}")
        share = rng.choices(list(SHARES), list(SHARES.values()))[0]
        found.append(Plan(number, name, f"{seed} {number}", share))
    return found


def _draws(game: Game) -> bool:
    return game.random_battles is not None


def drawn(plan: Plan) -> str:
    """The battle of a plan as it can be opened. The choices of one to order are drawn; not all of them go together."""
    if not plan.battle.startswith("random:"):
        return plan.battle
    rng = Random(f"battle {plan.seed}")
    game = registry.game(plan.battle.partition("=")[2])
    while True:
        choices = [f"{key}={rng.choice(values)}" for key, values, *_ in game.random_choices()]
        battle = ",".join((plan.battle, *choices, f"seed={rng.randrange(10**6)}"))
        try:
            _opened(battle)
        except GrognardError:
            continue
        return battle


@lru_cache(maxsize=64)
def _opened(battle: str) -> tuple[Game, Any]:
    return open_scenario(battle)


def play(plan: Plan, limit: int, tell: Callable[[str], None] = lambda line: None) -> tuple[Row, bytes]:
    """Play a game up to its end, its limit or the first thing wrong; the row, and a save of what went before that."""
    row = Row(number=plan.number, battle=drawn(plan), seed=plan.seed, share=plan.share)
    begun = time.perf_counter()
    save = b""
    game, scenario = _opened(row.battle)
    session = Session(game, scenario, seed=plan.seed.encode())
    try:
        _play(session, plan, row, limit, tell)
    except Exception as error:
        row.wrong = str(error) if isinstance(error, WrongError) else traceback.format_exc()
        save = _before(row, session)
    row.seconds = round(time.perf_counter() - begun, 2)
    return row, save


def _play(session: Session, plan: Plan, row: Row, limit: int, tell: Callable[[str], None]) -> None:
    rng, anybody, greedy = Random(plan.seed), RandomPlayer(plan.seed), GreedyPlayer(plan.seed)
    seen = 0
    while (ask := session.ask) is not None and row.answers < limit:
        keys = [option.key for option in ask.options]
        row.side, row.prompt, row.key = ask.side, ask.prompt, ""
        row.answers += 1
        if not keys or len(set(keys)) < len(keys):
            raise WrongError(f"options that cannot be: {keys}")
        thinks = plan.share and rng.random() < plan.share
        row.key = greedy.choose_from(session.probe(), inf) if thinks else anybody.choose(None, ask)
        if ask.draft is not None and rng.random() < DRAWN:
            row.key = _drawn(session, ask.draft, rng) or row.key
        tell(f"{row.answers} {ask.side}: {ask.prompt} -> {row.key}")
        session.answer(row.key)
        if wrong := session.game.invariants(session.battle):
            raise WrongError("; ".join(wrong))
        if row.answers % LOOK == 0:
            for reader in (*session.scenario.sides, "watcher"):
                session.view(reader, seen)
            seen = len(session.log)
    row.over = session.over
    result = session.result
    if row.over and (result is None or not result.reason or result.winner not in ("", *session.scenario.sides)):
        raise WrongError(f"the battle is over without a result that says why: {result}")
    if plan.number % READ == 0:
        resuming.load(session.save(), session.game, session.scenario)


def _drawn(session: Session, draft: Draft, rng: Random) -> str:
    """A draft without a fault, "" where none was hit upon; those with faults must be refused and change nothing."""
    for _ in range(6):
        form = draft.sample(rng)
        key = draft.key(spoil(form, rng) if rng.random() < 0.4 else form)
        if not draft.read(key)[1]:
            return key
        before = session.digest, len(session.log), session.dice.position
        with suppress(IllegalError):
            session.answer(key)
            raise WrongError(f"a draft with faults was taken: {key}")
        if (session.digest, len(session.log), session.dice.position) != before:
            raise WrongError(f"a draft that was refused changed something: {key}")
    return ""


def _before(row: Row, session: Session) -> bytes:
    """The game as a save up to the question whose answer was wrong."""
    game, scenario = _opened(row.battle)
    again = Session(game, scenario, seed=row.seed.encode())
    for answer in session.answers[: row.answers - 1]:
        again.answer(answer.key, trusted=True)
    return again.save()


class Journal:
    """The rows of a run, each written when its game has ended. A run is its seed and what it chose from."""

    def __init__(self, path: Path, run: dict[str, Any]) -> None:
        self.path = path
        self.rows: list[Row] = []
        if path.exists():
            head, *lines = path.read_text(encoding="utf-8").splitlines() or [json.dumps(run)]
            if json.loads(head) != run:
                raise GrognardError(f"{path} is of another run: {head}; name another file with --out")
            self.rows = [msgspec.json.decode(line, type=Row) for line in lines if line.endswith("}")]
        whole = [json.dumps(run), *(msgspec.json.encode(row).decode() for row in self.rows)]
        path.write_text("\n".join(whole) + "\n", encoding="utf-8")  # without a last line that was cut off

    def add(self, row: Row) -> None:
        """Write a row down."""
        self.rows.append(row)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(msgspec.json.encode(row).decode() + "\n")


def rest(games: list[Plan], journal: Journal) -> Iterator[Plan]:
    """The games that have not been played; those that went wrong are tried again."""
    done = {row.number for row in journal.rows if not row.wrong}
    return (plan for plan in games if plan.number not in done)


def say(row: Row) -> str:
    """What went wrong, and how to see it again."""
    what = row.wrong.strip().splitlines()[-1]
    where = f"{row.battle}, seed {row.seed!r}, answer {row.answers} ({row.side}: {row.prompt} -> {row.key})"
    return f"game {row.number}: {where}\n    {what}"


def summary(rows: list[Row]) -> Table:
    """What was played, a line a battle."""
    table = Table("battle", "games", "answers", "not over", "wrong", "seconds")
    latest = {row.number: row for row in rows}.values()
    names = [row.battle.partition(",")[0] for row in latest]
    for name in (*sorted(set(names)), ""):
        these = [row for row, its in zip(latest, names) if name in ("", its)]
        counts = (
            len(these),
            sum(row.answers for row in these),
            sum(not row.over and not row.wrong for row in these),
            sum(bool(row.wrong) for row in these),
            round(sum(row.seconds for row in these)),
        )
        table.add_row(name or "all", *map(str, counts))
    return table


def main(arguments: list[str]) -> int:
    """Play, tell what was wrong, and end with 1 if anything was."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--games", type=int, default=300, help="how many games; more of the same run go on with it")
    parser.add_argument("--seed", default="1", help="the same seed plays the same games")
    parser.add_argument("--only", default="", help="battles whose name has this, such as bolt_action/ or gazala")
    parser.add_argument("--limit", type=int, default=5000, help="a game is left after so many answers")
    parser.add_argument("--minutes", type=float, default=inf, help="begin no game after so many minutes")
    parser.add_argument(
        "--out", type=Path, default=Path("fuzz.jsonl"), help="the rows; the same file goes on with a run"
    )
    parser.add_argument(
        "--again", type=int, metavar="NUMBER", help="play this game of the seed again, answer by answer"
    )
    chosen = parser.parse_args(arguments)
    try:
        return _run(chosen)
    except GrognardError as error:
        print(error, file=sys.stderr)
        return 2


def _run(chosen: argparse.Namespace) -> int:
    if chosen.again is not None:
        plan = plans(chosen.again + 1, chosen.seed, chosen.only)[-1]
        row, _ = play(plan, chosen.limit, print)
        CONSOLE.print(row.wrong or f"nothing wrong in {row.answers} answers")
        return int(bool(row.wrong))
    journal = Journal(chosen.out, {"seed": chosen.seed, "only": chosen.only, "limit": chosen.limit})
    end = time.monotonic() + 60 * chosen.minutes
    for plan in rest(plans(chosen.games, chosen.seed, chosen.only), journal):
        if time.monotonic() > end:
            break
        row, save = play(plan, chosen.limit)
        journal.add(row)
        if row.wrong:
            CONSOLE.print(say(row), markup=False)
        if save:
            chosen.out.with_name(f"{chosen.out.stem}-{row.number}.save").write_bytes(save)
    CONSOLE.print(summary(journal.rows))
    return int(any(row.wrong for row in {row.number: row for row in journal.rows}.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
