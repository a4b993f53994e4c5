"""A game taken up again from what was kept of it stands at the same question, whatever stood: for every game."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from grognard.core.ask import FacesAsk
from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.resuming import resume
from grognard.core.session import Session
from grognard.core.standing_orders import StandingOrder
from grognard.players.random import RandomPlayer

from .conftest import LONG, load

STEPS = 150 * LONG


def kept(session: Session) -> dict[str, Any]:
    """What a store would keep of a session, through JSON."""
    dice = session.dice
    return {
        "seed": dice.seed if isinstance(dice, FairDice) else None,
        "script": list(dice.script) if isinstance(dice, ScriptedDice) else None,
        "given": [(side, key, by) for side, key, by in json.loads(json.dumps(session.given))],
        "orders": list(session.orders),
        "seq": session.seq,
        "solo": session.solo,
    }


def same(session: Session, again: Session) -> None:
    """Both stand at the same question, with the same past and the same future."""
    assert (again.seq, again.digest, again.given) == (session.seq, session.digest, session.given)
    assert again.log == session.log and again.dice.position == session.dice.position
    assert again.answers == session.answers and again.orders == session.orders
    assert again.may_undo() == session.may_undo()
    mine, yours = session.ask, again.ask
    assert (mine is None) == (yours is None) and type(mine) is type(yours)
    if mine is not None and yours is not None:
        assert (mine.side, mine.prompt, mine.seq) == (yours.side, yours.prompt, yours.seq)
        assert mine.options == yours.options


def faces(ask: FacesAsk, rng: Random) -> str:
    return " ".join(["dice", *(str(rng.randint(1, ask.sides)) for _ in range(ask.number))])


def wander(session: Session, rng: Random, steps: int) -> None:
    """Play on at random, taking answers back now and then, with standing orders that come and go."""
    player = RandomPlayer(rng.random().hex())
    for _ in range(steps):
        if session.ask is None:
            return
        if isinstance(session.ask, FacesAsk):
            session.answer(faces(session.ask, rng))
        else:
            session.answer(player.choose(None, session.ask), trusted=True)
        if rng.random() < 0.05:
            side = rng.choice(list(session.scenario.sides))
            orders = [[], [StandingOrder(side)], [StandingOrder(side, beyond=rng.randrange(5))]]
            session.set_orders(side, rng.choice(orders))
        if rng.random() < 0.1 and not session.may_undo():
            session.undo()


def test_a_game_is_taken_up_where_it_stood(battle: tuple[str, str], seed: int) -> None:
    game, scenario = load(*battle)
    for own_dice in (False, True):
        rng = Random(f"{seed} {own_dice}")
        dice: dict[str, Any] = {"script": ()} if own_dice else {"seed": f"resume {seed}".encode()}
        session = Session(game, scenario, solo=rng.random() < 0.5, **dice)
        for _ in range(8):
            wander(session, rng, rng.randrange(STEPS // 4))
            again = resume(game, scenario, **kept(session))
            same(session, again)
            ahead = rng.random()
            wander(again, Random(ahead), 10)
            fork = session.fork()
            fork.seq = session.seq
            wander(fork, Random(ahead), 10)
            same(fork, again)


def test_any_moment_of_the_past_can_be_looked_at(battle: tuple[str, str]) -> None:
    game, scenario = load(*battle)
    session = Session(game, scenario, seed=b"the past")
    player, rng = RandomPlayer(3), Random(3)
    then: dict[int, tuple[str, int, list[Any]]] = {}
    while session.ask is not None and len(session.answers) < 4 * STEPS:
        # The first questions always, so that there are some in a short game, and one in ten of those that follow.
        if len(session.answers) < 6 or rng.random() < 0.1:
            then[len(session.answers)] = (session.digest, len(session.log), session.ask.options)
        session.answer(player.choose(None, session.ask), trusted=True)
    assert len(then) > 5
    for count, (digest, log, options) in then.items():
        past = session.past(count)
        assert past.ask is not None and len(past.answers) == count
        assert (past.digest, len(past.log), past.ask.options) == (digest, log, options)
    assert session.past(len(session.answers)).digest == session.digest
