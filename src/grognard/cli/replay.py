"""``grognard replay``: a saved game played again."""

from __future__ import annotations

from pathlib import Path

from grognard.cli import show
from grognard.cli.json_output import event_records, print_json
from grognard.cli.play import battle_record, seed_check
from grognard.cli.referee import check_side
from grognard.cli.show import say
from grognard.core import open_files
from grognard.core.dice import FairDice
from grognard.core.words import say_seed, side_name


def replay_save(path: Path, side: str, json: bool) -> None:
    """Tell the log of a saved game; that it leads to the same state was checked when it was opened."""
    session = open_files.open_save(path)
    check_side(session, side)
    if json:
        print_json({**battle_record(session), "log": event_records(session.log, session, side)})
        return
    names = session.game.names(session.battle)
    for line in show.event_lines(session.log, session.game.phrases, names, side=side, answers=not side):
        say(line)
    say()
    result = session.result
    if result is not None:
        say(f"{side_name(result.winner) + ' wins' if result.winner else 'A draw'}: {result.reason}")
    elif session.ask is not None:
        say(f"The game goes on. {side_name(session.ask.side)} to answer: {session.ask.prompt}")
    if isinstance(session.dice, FairDice) and session.over:
        say(f"Seed: {say_seed(session.dice.seed)}")
        say(seed_check(session))
    say(f"{len(session.answers)} answers lead to the state {session.digest}, the same as in the file.")
