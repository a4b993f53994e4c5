"""``grognard play``: in the browser; with ``--text`` in the terminal, or by programs while you watch."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any, NamedTuple

from grognard.cli import show
from grognard.cli.json_output import luck_record, print_json
from grognard.cli.show import say
from grognard.cli.text_play import TextGame
from grognard.cli.writing import write_save
from grognard.core import open_files
from grognard.core.ask import FacesAsk
from grognard.core.dice import FairDice
from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.core.words import read_seed, say_seed, side_name
from grognard.players.seats import Seats, let_play, make_ready, read_seats


class Wishes(NamedTuple):
    """What was asked for on the command line."""

    scenario: str = ""
    text: bool = True
    sides: str = ""
    seed: str = ""
    save: Path | None = None
    load: Path | None = None
    solo: bool = False
    own_dice: bool = False
    board: bool = True
    quiet: bool = False
    game: str = ""
    json: bool = False
    browser: bool = True
    port: int | None = None
    database: str = ""
    verbose: bool = False


def play_battle(wishes: Wishes) -> None:
    """Open the battle that is wanted, and play it."""
    if not wishes.text:
        _play_in_browser(wishes)
        return
    session = open_battle(wishes)
    seed = session.dice.seed.hex() if isinstance(session.dice, FairDice) else ""
    seats = read_seats(wishes.sides, session.scenario.sides, seed)
    make_ready(session, seats.values())
    watched = all(seats.values())
    if wishes.json and not watched:
        raise GrognardError("--json works only without people; add --sides random,random")
    if wishes.save is not None:
        write_save(wishes.save, session)
    if not wishes.json:
        _introduce(session)
    if watched:
        _watch(session, seats, silent=wishes.json or wishes.quiet)
    else:
        TextGame(session, seats, wishes.save, wishes.board).play()
    if wishes.save is not None:
        write_save(wishes.save, session)
    if wishes.json:
        print_json(battle_record(session))
    elif session.over:
        finish(session)


def _play_in_browser(wishes: Wishes) -> None:
    from grognard.cli.browser import play_in_browser

    given = {"--save": wishes.save is not None, "--json": wishes.json, "--quiet": wishes.quiet}
    if only := [option for option, there in given.items() if there]:
        raise GrognardError(f"{', '.join(only)}: only with --text; in the browser every battle is saved for you")
    # Whoever says anything about the battle gets a new one; whoever says nothing goes on where they were.
    new = wishes.scenario or wishes.load or wishes.sides or wishes.seed or wishes.own_dice
    play_in_browser(wishes, open_battle(wishes) if new else None)


def open_battle(wishes: Wishes) -> Session:
    """The battle that was asked for: at its beginning, in the position of a situation, or where it was saved."""
    if wishes.load is not None:
        if wishes.seed or wishes.own_dice:
            raise GrognardError("--load: a saved game brings its own dice; leave out --seed and --own-dice")
        session = open_files.open_save(wishes.load)
        if wishes.scenario not in ("", session.scenario.name):
            raise GrognardError(f"{wishes.load} is a game of {session.scenario.name!r}, not of {wishes.scenario!r}")
        session.solo = wishes.solo
        return session
    if wishes.own_dice and wishes.seed:
        raise GrognardError("choose --own-dice or --seed: either you roll the dice or the program does")
    game, scenario, state = open_files.open_start(wishes.scenario, wishes.game)
    if wishes.own_dice:
        return Session(game, scenario, script=(), state=state, solo=wishes.solo)
    seed = read_seed(wishes.seed or secrets.token_hex(16))
    return Session(game, scenario, seed=seed, state=state, solo=wishes.solo)


def _introduce(session: Session) -> None:
    scenario = session.scenario
    say(f"{scenario.title} ({session.game.title})")
    if scenario.briefing:
        say(scenario.briefing.strip())
    say(f"Sides: {', '.join(scenario.sides)}. Turns: {scenario.turns}.")
    if isinstance(session.dice, FairDice):
        say(f"The hash of the dice seed is {session.dice.commitment}; you see the seed at the end.")


# ---- programs among themselves -----------------------------------------------------------------------


def _watch(session: Session, seats: Seats, silent: bool) -> None:
    """Let programs play to the end; the log runs along without tallies, and nothing is kept from the onlooker."""
    told = 0
    while session.ask is not None:
        if isinstance(session.ask, FacesAsk):
            raise GrognardError("this battle uses real dice, and computer players have none; play one side yourself")
        let_play(session, seats)
        if not silent and (session.over or session.ask.quiet):
            told = _tell(session, told)


def _tell(session: Session, told: int) -> int:
    names = session.game.names(session.battle)
    for line in show.event_lines(session.log[told:], session.game.phrases, names, tallies=False):
        say(line)
    return len(session.log)


# ---- the end -----------------------------------------------------------------------------------------


def finish(session: Session) -> None:
    """How it ended, who was lucky, and the seed with the proof that no die was changed."""
    result = session.result
    say()
    if result is not None:
        winner = f"{side_name(result.winner)} wins" if result.winner else "A draw"
        say(f"{winner}: {result.reason}" + (f" [{result.rule}]" if result.rule else ""))
    say()
    show.show_luck(session.luck())
    say()
    if isinstance(session.dice, FairDice):
        say(f"Seed: {say_seed(session.dice.seed)}")
        say(seed_check(session))
    say(f"{len(session.answers)} answers; state {session.digest}.")


def seed_check(session: Session) -> str:
    """Whether every die of the battle follows from the seed whose hash was shown at the start."""
    dice = session.dice
    assert isinstance(dice, FairDice)
    wrong = show.wrong_rolls(session)
    if wrong:
        return f"NOT FAIR: these rolls don't match the seed: {', '.join(map(str, wrong))}"
    shown = sum(bool(event.faces) for event in show.rolls(session))
    return f"Its hash is {FairDice(dice.seed).commitment}, as shown at the start; all {shown} rolls match it."


def battle_record(session: Session) -> dict[str, Any]:
    """A battle that has been played, for programs."""
    dice = session.dice
    result = session.result
    return {
        "game": session.game.name,
        "scenario": session.scenario.name,
        "over": session.over,
        "result": result and {"winner": result.winner, "reason": result.reason, "rule": result.rule},
        "answers": len(session.answers),
        "seed": say_seed(dice.seed) if isinstance(dice, FairDice) and session.over else None,
        "commitment": dice.commitment if isinstance(dice, FairDice) else None,
        "fair": not show.wrong_rolls(session) if isinstance(dice, FairDice) else None,
        "rolls": len(show.rolls(session)),
        "digest": session.digest,
        "luck": luck_record(session.luck()),
    }
