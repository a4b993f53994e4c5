"""Games by tactics: the players of the house answer every question of every battle, legally, and it goes on."""

from __future__ import annotations

from math import inf
from random import Random

from grognard.core.session import Session
from grognard.core.tactics import Clock, tactics_of
from grognard.players.greedy import GreedyPlayer
from grognard.players.playouts import Line, Playouts, Settings
from grognard.players.thought import REST
from tests.conformance.conftest import ENDLESS, LONG, start

Battle = tuple[str, str]
#: Seconds for an answer: enough to see that it is found, and little enough to see that time runs out in good order.
BUDGET = 0.05
#: How many answers are given; all of a game with GROGNARD_LONG.
ANSWERS = 60 if LONG == 1 else ENDLESS


def greedily(session: Session, player: GreedyPlayer) -> str:
    """The player's answer to the question that stands."""
    return player.choose_from(session.probe(), Clock.now() + BUDGET)


def test_greedy_games_go_on_and_keep_the_invariants(battle: Battle) -> None:
    session = start(*battle, 80)
    player = GreedyPlayer(81)
    for _ in range(ANSWERS):
        if session.ask is None:
            break
        side = session.ask.side
        key = greedily(session, player)
        thought = player.thought
        assert thought is not None and thought.side == side and thought.chosen == key
        worths = [option.worth for option in thought.options]
        assert worths == sorted(worths, reverse=True), f"{session.ask.prompt}: the best first, not {worths}"
        for option in thought.options:
            told = [abs(why.worth) for why in option.reasons if why.text != REST]
            rest = [abs(why.worth) for why in option.reasons if why.text == REST]
            assert not rest or rest[0] < max(told), (
                f"{session.ask.prompt} {option.key}: what is it for? {option.reasons}"
            )
        session.answer(key)  # an answer that is not legal is refused here
        assert not session.game.invariants(session.battle)
    assert LONG == 1 or session.over


def test_what_is_best_and_standings_hold_from_every_position(battle: Battle) -> None:
    """A battle in thought: the best answers are legal and the same again, standings lie between lost and won, and what
    one side gains the other loses."""
    session = start(*battle, 82)
    tactics, rng, clock = tactics_of(session.game, session.scenario), Random(83), Clock(inf)
    one, other = session.scenario.sides
    for count in range(80 * LONG):
        ask = session.ask
        if ask is None:
            break
        standing = tactics.standing(session.battle, one)
        assert -1 <= standing <= 1
        assert abs(standing + tactics.standing(session.battle, other)) < 1e-6
        probe = session.probe()
        assert probe.ask is not None
        if count % 20 == 0 and probe.ask.quiet:
            playouts = Playouts(probe, tactics, "conformance", Settings(answers=10, most=30))
            value = playouts.play(Line(tactics.best(probe.battle, probe.ask, clock)), count, clock)
            assert playouts.failed == 0 and value is not None and -1 <= value <= 1
        best = tactics.best(probe.battle, probe.ask, clock)
        assert best == tactics.best(session.probe().battle, probe.ask, clock)
        # Now and then something else, so that not only good positions are seen.
        session.answer(rng.choice(ask.options).key if rng.random() < 0.2 and ask.options else best)
