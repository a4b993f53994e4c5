"""What is kept of a session and shown of it: taking it up again, its past, its orders, its log and its questions."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.core import session as sessions
from grognard.core.ask import FacesAsk
from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.errors import GrognardError, IllegalError, MalformedError
from grognard.core.resuming import resume
from grognard.core.session import Session
from grognard.core.standing_orders import StandingOrder
from grognard.core.view import LogLine, bar_view, luck_views
from tests.core.toy import TOY, ToyScenario

SCENARIO = ToyScenario()


def session(*script: int, **kw: object) -> Session:
    return Session(TOY, SCENARIO, script=script, **kw)  # type: ignore[arg-type]


def again(game: Session) -> Session:
    """The session from what a store keeps of it."""
    dice = game.dice
    seed = dice.seed if isinstance(dice, FairDice) else None
    script = dice.script if isinstance(dice, ScriptedDice) else None
    given, orders = game.given, game.orders
    return resume(TOY, SCENARIO, seed=seed, script=script, given=given, orders=orders, seq=game.seq, solo=game.solo)


def alike(game: Session, other: Session) -> None:
    assert (game.seq, game.digest, game.given, game.log) == (other.seq, other.digest, other.given, other.log)
    assert game.answers == other.answers and game.may_undo() == other.may_undo()
    assert (game.ask is None) == (other.ask is None)
    if game.ask is not None and other.ask is not None:
        assert (game.ask.prompt, game.ask.seq, game.ask.side) == (other.ask.prompt, other.ask.seq, other.ask.side)
        assert game.ask.options == other.ask.options


def step(game: Session, rng: random.Random) -> None:
    """Anything that can be done: an answer, faces, an undo, other orders."""
    if isinstance(game.ask, FacesAsk):
        game.answer(" ".join(["dice", *(str(rng.randint(1, 6)) for _ in range(game.ask.number))]))
    elif game.ask is not None:
        game.answer(rng.choice(game.ask.options).key)
    if rng.random() < 0.2 and not game.may_undo():
        game.undo()
    if rng.random() < 0.1:
        side = rng.choice(SCENARIO.sides)
        game.set_orders(side, [StandingOrder(side, "duck", below=0.3)] if rng.random() < 0.5 else [])


@given(st.randoms(use_true_random=False), st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_session_is_taken_up_where_it_stood(rng: random.Random, own_dice: bool, solo: bool) -> None:
    game = session(solo=solo) if own_dice else Session(TOY, SCENARIO, seed=b"kept", solo=solo)
    for _ in range(rng.randrange(30)):
        step(game, rng)
    back = again(game)
    alike(game, back)
    ahead = rng.random()
    for each in (game, back):
        dice = random.Random(ahead)
        for _ in range(6):
            step(each, dice)
    alike(game, back)


def test_an_answer_that_waits_for_dice_is_among_those_given() -> None:
    game = session()
    game.give_order(StandingOrder("blue", "duck"))
    game.answer("shoot r0 b1")
    assert isinstance(game.ask, FacesAsk) and len(game.answers) == 1
    assert game.given == [("red", "shoot r0 b1", False), ("blue", "pass", True)]
    game.answer("dice 4 4")
    assert isinstance(game.ask, FacesAsk) and game.ask.what == "nerve"  # half of what was rolled for is told
    alike(game, again(game))
    game.answer("dice 1 1")
    assert game.given[1] == ("blue", "pass", True) and game.answers[1].by_order


def test_undo_while_dice_are_awaited_takes_back_the_answer_that_waits() -> None:
    game = session(solo=True)
    game.answer("shoot r0 b1")
    game.answer("pass")
    game.answer("dice 4 4")
    assert isinstance(game.ask, FacesAsk)
    game.undo()
    assert game.ask.reaction == "duck" and game.given == [("red", "shoot r0 b1", False)]
    assert isinstance(game.dice, ScriptedDice) and game.dice.script == []
    game.answer("pass")
    assert isinstance(game.ask, FacesAsk) and game.ask.what == "shot"


def test_what_does_not_fit_is_not_taken_up() -> None:
    with pytest.raises(MalformedError, match=r"answer 2.*red cannot answer here.*Blue to answer"):
        resume(TOY, SCENARIO, seed=b"x", given=[("red", "wait", False), ("red", "wait", False)])


def test_the_past_can_be_looked_at_with_few_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "RECENT", 4)
    long = ToyScenario(turns=200)
    game = Session(TOY, long, seed=b"past")
    game.state.last = 200
    game._marks[0].state.last = 200
    digests = [game.digest]
    rng = random.Random(5)
    while game.ask is not None and len(digests) < 120:
        game.answer(rng.choice([o for o in game.ask.options if o.verb in ("pass", "look", "duck")]).key)
        digests.append(game.digest)
    assert len(game._marks) < 45
    assert [game.past(count).digest for count in range(len(digests))] == digests
    game.solo = True
    for count in range(len(digests) - 2, 0, -1):
        game.undo()
        assert game.digest == digests[count]
    with pytest.raises(GrognardError, match="have not been given"):
        game.past(5000)


def test_a_copy_for_thinking_stays_one_however_often_it_is_copied() -> None:
    game = Session(TOY, SCENARIO, seed=b"real")
    game.answer("shoot r0 b0")
    game.answer("pass")
    game.answer("wait")
    probe = game.probe()  # red is asked and does not know of b2
    for copy in (probe, probe.fork(), probe.fork().fork()):
        assert "b2" not in copy.state.men and copy.digest == probe.digest
    probe.answer("shoot r0 b1")
    before = probe.dice.position
    probe.answer("pass")
    assert probe.dice.position > before
    copy = probe.fork()
    assert copy.log[len(game.log) :] == probe.log[len(game.log) :] and copy.digest == probe.digest
    assert probe.odds("wait").exact and "b2" in game.state.men


def test_orders_are_a_side_s_own() -> None:
    game = session(1, 1)
    game.set_orders("blue", [StandingOrder("blue", "duck")])
    game.set_orders("red", [StandingOrder("red", "duck", beyond=3)])
    assert game.orders_of("blue") == [StandingOrder("blue", "duck")]
    with pytest.raises(GrognardError, match="from red itself"):
        game.set_orders("red", [StandingOrder("blue")])
    game.set_orders("blue", [])
    assert game.orders_of("blue") == [] and len(game.orders_of("red")) == 1
    game.answer("shoot r0 b0")
    assert game.ask and game.ask.reaction == "duck"
    game.set_orders("blue", [StandingOrder("blue")])  # answers at once
    assert game.ask and game.ask.quiet and game.answers[-1].by_order


# ---- what is shown ---------------------------------------------------------------------------------------------


def test_a_question_for_dice_says_which_and_what_for() -> None:
    game = session()
    game.answer("shoot r0 b1")
    game.answer("duck")
    ask = game.view("red").ask
    assert ask is not None and ask.dice is not None
    assert (ask.dice.number, ask.dice.sides, ask.dice.what) == (2, 6, "shot")
    tally = ask.dice.tallies[0]
    assert (tally.base, tally.total, tally.lines[0].amount, tally.lines[0].text) == (1, 0, -1, "ducked")
    assert tally.text == "Firepower: 1 r0 [1.1], -1 ducked [1.2] = 0"
    assert game.view("blue").ask is None


def test_a_watcher_sees_what_everybody_may_see() -> None:
    game = session()
    game.answer("wait")
    seen = game.view("watcher")
    assert "b2" not in [unit.id for unit in seen.units] and seen.ask is None
    assert [line.kind for line in seen.log] == []  # whose answer it was is that side's own


def test_lines_of_the_log_tell_chance_tallies_and_units() -> None:
    game = session(5, 5)
    game.answer("shoot r0 b1")
    told = len(game.log)
    game.answer("pass")
    lines = {line.kind: line for line in game.lines("red")}
    roll = lines["Rolled"]
    assert roll.faces == (5, 5) and roll.dice == "2d6" and roll.chance == pytest.approx(6 / 36)
    assert roll.tallies[0].total == 1 and roll.units == ("b1",)
    assert lines["Fell"].units == ("b1",) and lines["Asked"].units == ("r0", "b1")
    assert game.lines("red", told) == game.lines("red")[1:]
    assert game.view("red", told).log == game.lines("red", told)
    assert isinstance(roll, LogLine) and "Asked" in {line.kind for line in game.lines("blue")}


def test_odds_and_luck_and_bars_as_a_client_shows_them() -> None:
    game = session(6, 6)
    game.answer("shoot r0 b1")
    odds = game.odds_view("pass")
    assert odds.exact and odds.to_us.fraction == "13/48" and odds.to_them.probability == 0 and odds.keys == ["pass"]
    assert sum(outcome.probability for outcome in odds.outcomes) == pytest.approx(1)
    assert odds.tallies[0].what == "Firepower"
    game.answer("pass")
    luck = luck_views(game.luck())
    assert (luck[0].side, luck[0].what, luck[0].rolls) == ("red", "shot", 1)
    game.state.men["r0"].shaken = True
    reasons = [bar_view(bar).reason for bar in game.why_not("red", "r0")]
    assert reasons == ["it is not your shot", "shoot: it is shaken"]


def test_a_prospect_stops_at_the_enemy_s_question() -> None:
    game = session()
    found = game.prospect("r0")
    assert [branch.option.key for branch in found.branches] == ["shoot r0 b0", "shoot r0 b1"]
    assert found.seq == game.seq and not any(branch.follow or branch.journeys for branch in found.branches)
    assert game.prospect("b0").branches == []
    game.answer("shoot r0 b0")
    game.answer("pass")
    with pytest.raises(IllegalError, match="the roll comes first"):
        game.prospect("r0")
