"""What a unit can do, and where it could go: every journey that is shown can be made, at the cost that is shown."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from grognard.core.ask import Option
from grognard.core.prospects import read_cost
from grognard.core.session import Session
from grognard.core.view import Journey, Prospect
from grognard.players.random import RandomPlayer

from .conftest import LONG, start

LOOKS = 24 * LONG


def _reaction(session: Session, side: str) -> bool:
    """Whether the enemy may react at some point of a move, and may let it go on."""
    ask = session.ask
    if ask is None or ask.quiet or ask.side == side:
        return False
    return any(option.verb == "pass" for option in ask.options)


def travel(session: Session, unit: str, journey: Journey) -> None:
    """Follow a journey in a copy in which the enemy passes, up to the first die."""
    copy = session.probe()
    assert copy.ask is not None
    side, spent, keys = copy.ask.side, Fraction(), list(journey.keys)
    position = copy.dice.position
    while keys or _reaction(copy, side):
        assert copy.ask is not None, (journey, keys)
        if copy.ask.side != side:
            passing = next(option for option in copy.ask.options if option.verb == "pass")
            could = {option.unit for option in copy.ask.options if option.verb != "pass"}
            assert could <= set(journey.reactors), journey
            copy.answer(passing.key)
        else:
            option = copy.ask.option(keys[0])
            cost = read_cost(option.cost)
            if cost is not None and cost[1] == journey.currency:
                spent += cost[0]
            copy.answer(keys.pop(0))
        if copy.dice.position != position:
            assert journey.rolls and not keys, journey
            assert float(spent) == journey.cost
            return
    assert not journey.rolls
    assert float(spent) == journey.cost, journey
    place, facing = copy.game.whereabouts(copy.battle, unit)
    assert (place, facing) == (journey.place, journey.facing), journey


def check(session: Session, prospect: Prospect, options: list[Option], rng: Random) -> int:
    """A prospect has every option of its unit, and its journeys can be made."""
    assert prospect.seq == session.seq
    assert [branch.option for branch in prospect.branches] == [o for o in options if o.unit == prospect.unit]
    made = 0
    for branch in prospect.branches:
        places = [journey.place for journey in branch.journeys]
        assert len(set(places)) == len(places)
        for journey in rng.sample(branch.journeys, min(4, len(branch.journeys))):
            assert journey.keys[0] == branch.option.key and journey.via[-1] == journey.place
            # Who could react stands somewhere: what has yet to come does not, and is not told of.
            assert all(session.game.whereabouts(session.battle, id)[0] for id in journey.reactors), journey
            travel(session, prospect.unit, journey)
            made += 1
        if aim := branch.option.target:  # who clicks somebody means him, not a second shot after one at another
            assert all(option.target in ("", aim) for option in branch.follow), branch
        cheapest = {journey.place: journey.cost for journey in branch.journeys}
        for option in branch.follow:
            cost = read_cost(option.cost)
            if branch.journeys and cost is not None and not option.target and option.place in cheapest:
                assert option.unit != prospect.unit or cheapest[option.place] <= float(cost[0])
    return made


def test_every_journey_can_be_made_at_its_cost(battle: tuple[str, str], seed: int) -> None:
    session = start(*battle, seed)
    player, rng = RandomPlayer(seed), Random(seed)
    looks = made = 0
    while session.ask is not None and looks < LOOKS:
        options = session.ask.options
        units = sorted({option.unit for option in options if option.unit})
        if units and rng.random() < 0.2:
            looks += 1
            before = (session.digest, session.seq, len(session.log), session.dice.position)
            made += check(session, session.prospect(rng.choice(units)), options, rng)
            assert before == (session.digest, session.seq, len(session.log), session.dice.position)
        session.answer(player.choose(None, session.ask), trusted=True)
    assert made, "no unit of a whole battle could go anywhere"
