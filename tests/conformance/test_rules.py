"""Every rule id that play cites is in the ledger: in events, tallies, questions, options and bars."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grognard.core import registry
from grognard.core.events import Rolled
from grognard.core.game import Game
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import start

Battle = tuple[str, str]
RULING = re.compile(r"[A-Z]-\d+")


def known(game: Game) -> set[str]:
    """The ids of the ledger, and its sections."""
    return {*game.ledger.rules, *(id.split(".")[0] for id in game.ledger.rules)}


def cited(session: Session) -> Iterator[tuple[str, str]]:
    for event in session.log:
        yield from ((rule, type(event).__name__) for rule in event.rules)
        if isinstance(event, Rolled):
            for tally in event.tallies:
                yield tally.rule, f"tally {tally.what}"
                yield from ((line.rule, f"line {line.id}") for line in tally.lines)


def test_every_cited_rule_is_in_the_ledger(battle: Battle, seed: int) -> None:
    session = start(*battle, 18 + seed)
    player = RandomPlayer(23 + seed)
    found: set[tuple[str, str]] = set()
    count = 0
    while session.ask is not None:
        ask = session.ask
        found.add((ask.rule, f"ask {ask.prompt}"))
        found.update((option.rule, f"option {option.verb}") for option in ask.options)
        if count % 40 == 13:
            for option in ask.options[:40]:
                if option.unit:
                    bars = session.why_not(ask.side, option.unit)
                    found.update((bar.rule, f"bar {bar.reason}") for bar in bars)
        session.answer(player.choose(None, ask), trusted=True)
        count += 1
    found.update(cited(session))
    rules = known(session.game)
    wrong = sorted((rule, where) for rule, where in found if rule and rule not in rules and not RULING.fullmatch(rule))
    assert not wrong


def test_every_event_can_be_told() -> None:
    for game in registry.games():
        for scenario in list(game.scenario_files())[:2] or ["random"]:
            session = start(game.name, scenario, 19)
            player = RandomPlayer(24)
            while session.ask is not None:
                session.answer(player.choose(None, session.ask), trusted=True)
            names = game.names(session.battle)
            for event in session.log:
                text = event.say(names)
                assert text and "{" not in text, event
