"""Honest players: what a side cannot know, shuffled, changes nothing of what its player chooses or thinks.

A position is taken from a game. What the side that is asked does not know is dealt anew, and the dice to come are
others; to that side both positions are one. Then the same player must choose the same, for the same reasons.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.conformance.conftest import LONG, battles, start

from grognard.core.session import Session
from grognard.core.tactics import tactics_of
from grognard.games.bolt_action.roster import muster, roster
from grognard.kits.table.state import RESERVE
from grognard.players.greedy import GreedyPlayer
from grognard.players.playouts import Settings
from grognard.players.random import RandomPlayer
from grognard.players.search import SearchPlayer

#: How many positions with secrets are looked at in each battle, how far apart, and how many answers are given in all.
POSITIONS, APART, ANSWERS = 2 * LONG, 7, 260
BATTLES = battles()


class Pair(NamedTuple):
    """Two sessions that are one to the side that is asked, though they differ."""

    true: Session
    other: Session


def known(session: Session, side: str) -> bytes:
    """All that a side knows of a session's state."""
    copy = session.game.battle(session.scenario, session.game.copy(session.state), session.dice)
    session.game.conceal(copy, side)
    return session.game.encode(copy.state)


def other_reserves(session: Session, side: str, seed: int) -> Any:
    """The state of a battle on a table in which the enemy has other units in reserve."""
    rng, kinds = Random(seed), roster()
    state = session.game.copy(session.state)
    for unit in state.units.values():
        if unit.side != side and unit.status == RESERVE:
            nation = kinds[unit.kind].nation
            unit.kind = rng.choice([id for id, kind in kinds.items() if kind.nation == nation and id != unit.kind])
            kind = kinds[unit.kind]
            unit.models, unit.size, unit.quality = muster(kind), kind.models, kind.quality
    return state


def dealt_anew(session: Session, side: str, seed: int) -> Any:
    """The state of a session with everything dealt anew that a side does not know."""
    game = session.game
    if game.name == "bolt_action":
        return other_reserves(session, side, seed)
    copy = game.battle(session.scenario, game.copy(session.state), session.dice)
    game.conceal(copy, side)
    tactics_of(game, session.scenario).redeal(copy, side, Random(seed))
    return copy.state


def pairs(battle: tuple[str, str]) -> Iterator[Pair]:
    """Positions of a game played at random, each with a twin in which the secrets of the enemy are others."""
    session = start(*battle, 21)
    game, player = session.game, RandomPlayer(22)
    found, last = 0, -APART
    for count in range(ANSWERS):
        ask = session.ask
        if ask is None or found == POSITIONS:
            return
        if ask.quiet and count - last >= APART and len(ask.options) > 1:
            knows = known(session, ask.side)
            if knows != game.encode(session.state):
                state = dealt_anew(session, ask.side, count)
                twin = Session(game, session.scenario, state=game.copy(state), seed=b"other dice")
                if known(twin, ask.side) == knows and game.encode(twin.state) != game.encode(session.state):
                    found, last = found + 1, count
                    here = Session(game, session.scenario, state=game.copy(session.state), seed=b"the dice")
                    yield Pair(here, twin)
        session.answer(player.choose(None, ask), trusted=True)


def has_secrets(battle: tuple[str, str]) -> bool:
    """Whether anything is ever hidden from the side that is asked, and can be dealt anew."""
    return next(pairs(battle), None) is not None


def chosen(player: Any, session: Session) -> tuple[str, object]:
    """What a player chooses, and what it thought of every option."""
    key = player.choose_from(session.probe(), time.monotonic() + 600)
    thought = getattr(player, "thought", None)
    return key, thought.options if thought is not None else None


class Peeker:
    """A cheat: it looks at the whole state that its copy was made from."""

    def choose_from(self, probe: Session, deadline: float) -> str:
        assert probe.ask is not None
        truth = probe.game.encode(probe._marks[-1].state)
        return Random(truth).choice(probe.ask.options).key


class Seer:
    """A cheat: it looks at the dice to come."""

    def choose_from(self, probe: Session, deadline: float) -> str:
        assert probe.ask is not None
        return Random(getattr(probe._base, "seed", b"")).choice(probe.ask.options).key


@pytest.mark.parametrize("battle", BATTLES, ids=[f"{game}-{name}" for game, name in BATTLES])
def test_secrets_shuffled_change_no_choice(battle: tuple[str, str]) -> None:
    for true, other in pairs(battle):
        assert chosen(GreedyPlayer(1), true) == chosen(GreedyPlayer(1), other)
        settings = Settings(candidates=3, answers=6, most=20)
        one, two = SearchPlayer(1, rounds=2, settings=settings), SearchPlayer(1, rounds=2, settings=settings)
        assert chosen(one, true) == chosen(two, other)


@pytest.mark.parametrize("battle", BATTLES, ids=[f"{game}-{name}" for game, name in BATTLES])
def test_other_dice_change_no_choice(battle: tuple[str, str]) -> None:
    """Also in the middle of an action, where only the dice to come are unknown."""
    session = start(*battle, 23)
    player = RandomPlayer(24)
    for count in range(40 * LONG):
        ask = session.ask
        if ask is None:
            return
        if not ask.quiet and count % 4 == 0 and len(ask.options) > 1:
            assert chosen(GreedyPlayer(1), session) == chosen(GreedyPlayer(1), session.fork(b"other dice"))
        session.answer(player.choose(None, ask), trusted=True)


@pytest.mark.parametrize("cheat", [Peeker, Seer])
def test_a_cheat_is_found_out(cheat: Any) -> None:
    changed = 0
    secretive = 0
    for battle in BATTLES:
        for true, other in pairs(battle):
            secretive += 1
            changed += chosen(cheat(), true) != chosen(cheat(), other)
        if changed > 2:
            return
    assert changed > 2, f"of {secretive} positions with secrets a cheat betrayed itself in {changed}"


#: On these tables everything is open: what is hidden there are the dice to come.
OPEN = {"company"}


def test_each_game_has_battles_with_secrets() -> None:
    games = {game for game, _ in BATTLES}
    assert games >= OPEN and not any(has_secrets(battle) for battle in BATTLES if battle[0] in OPEN)
    for game in games - OPEN:
        assert any(has_secrets(battle) for battle in BATTLES if battle[0] == game), (
            f"{game}: nothing is ever dealt anew"
        )
