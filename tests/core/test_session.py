"""A session: answers, reactions, going back, saving, standing orders, odds and luck, tried on the toy game."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.core.ask import Ask, FacesAsk, Rules
from grognard.core.battle import Battle
from grognard.core.dice import FairDice, fair_faces
from grognard.core.errors import IllegalError, MalformedError, StaleError, VersionError
from grognard.core.events import Asked, Change, Rolled
from grognard.core.odds import FEWEST, Odds, Outcome, odds
from grognard.core.resuming import load
from grognard.core.saves import read_save
from grognard.core.session import Session, UndoError
from grognard.core.standing_orders import StandingOrder
from grognard.core.view import luck_views
from tests.core.toy import TOY, Fell, ToyScenario

SCENARIO = ToyScenario()


def session(*script: int, **kw: object) -> Session:
    return Session(TOY, SCENARIO, script=script, **kw)  # type: ignore[arg-type]


def play_on(game: Session, rng: random.Random, most: int = 1000) -> None:
    for _ in range(most):
        if game.ask is None:
            return
        game.answer(rng.choice(game.ask.options).key)


def test_a_question_an_answer_and_what_happened() -> None:
    game = session(5, 5)
    assert game.ask is not None and game.ask.quiet and game.ask.side == "red"
    game.answer("shoot r0 b1")
    assert game.ask.side == "blue" and game.ask.reaction == "duck" and not game.ask.quiet
    happened = game.answer("pass")
    assert [e for e in happened if isinstance(e, Fell)] == [Fell(man="b1", how="gone", rules=("1.1",))]
    roll = next(e for e in happened if isinstance(e, Rolled))
    assert roll.faces == (5, 5) and roll.tallies[0].total == 1 and roll.meaning == "X"


def test_anything_that_is_not_an_option_is_refused_without_change() -> None:
    game = session(5, 5)
    before, seq = game.digest, game.seq
    for bad in ("", "shoot", "shoot r0 r1", "SHOOT r0 b0", "duck", "dice 3 4", "\x00", "shoot r0 b2"):
        with pytest.raises(IllegalError) as error:
            game.answer(bad)
        assert "legal:" in str(error.value) and error.value.ask is game.ask
    assert (game.digest, game.seq, game.answers) == (before, seq, [])


@given(st.text() | st.binary().map(lambda b: b.decode("latin-1")))
def test_no_text_breaks_a_session(text: str) -> None:
    game = session(1, 1)
    keys = {o.key for o in game.ask.options} if game.ask else set()
    if text not in keys:
        with pytest.raises(IllegalError):
            game.answer(text)
        assert not game.answers


def test_a_stale_answer_is_refused() -> None:
    game = session(5, 5)
    seq = game.seq
    game.answer("wait", seq)
    with pytest.raises(StaleError, match=f"question {seq}, but the question is now {seq + 1}"):
        game.answer("wait", seq)
    assert len(game.answers) == 1


def test_when_a_script_runs_out_the_faces_are_asked_for() -> None:
    game = session()
    game.answer("shoot r0 b1")
    game.answer("pass")
    assert isinstance(game.ask, FacesAsk) and (game.ask.number, game.ask.sides) == (2, 6)
    assert game.ask.side == "red" and len(game.answers) == 1
    for bad in ("dice", "dice 3", "dice 0 4", "dice 3 7", "dice 3 4 5", "pass", "dice ³ 4"):
        with pytest.raises(IllegalError):
            game.answer(bad)
    game.answer("dice 4 4")
    assert isinstance(game.ask, FacesAsk) and game.ask.side == "blue"  # now blue's nerve
    game.answer("dice 1 1")
    assert game.state.men["b1"].shaken and game.ask.quiet
    assert [a.key for a in game.answers] == ["shoot r0 b1", "pass"]


def test_undo_goes_back_until_a_die_is_rolled() -> None:
    game = session(5, 5)
    game.answer("wait")
    game.answer("shoot b0 r1")
    game.undo()  # people at one table agree to it
    assert game.ask and game.ask.side == "blue" and game.state.shots == 1
    game.undo()
    assert game.ask and game.ask.side == "red" and game.state.shots == 0
    assert game.may_undo() == "nothing has been answered yet"
    game.answer("shoot r0 b1")
    game.answer("pass")
    with pytest.raises(UndoError, match="a die has been rolled"):
        game.undo()
    assert game.state.men["b1"].gone


def test_undo_stops_at_a_shown_secret_and_at_the_other_side() -> None:
    game = session()
    game.answer("look")
    assert game.may_undo("red") == "something secret has been shown since"
    game.answer("wait")
    assert game.may_undo("red") == "Blue has answered since"
    assert game.may_undo("blue") == "Red has been asked since"


def test_undo_stops_when_the_other_side_is_asked() -> None:
    """A shot that can be taken back after the other side was asked to duck tells for nothing that there is somebody."""
    game = session(5, 5)
    game.answer("shoot r0 b1")
    assert game.ask and game.ask.side == "blue"
    with pytest.raises(UndoError, match="Blue has been asked since"):
        game.undo("red")


def test_questions_are_numbered_by_side() -> None:
    """However often the other side is asked meanwhile, the next question of a side has the next number."""
    plain, ordered = (Session(TOY, SCENARIO, seed=b"1") for _ in range(2))
    ordered.give_order(StandingOrder("blue", "duck"))
    for game in (plain, ordered):
        assert (game.seq_of("red"), game.seq_of("blue")) == (1, 1)
        game.answer("wait")
        game.answer("wait")
        assert (game.seq_of("red"), game.seq_of("blue")) == (2, 2)
    before = ordered.seq
    ordered.answer("shoot r0 b1")
    assert ordered.seq == before + 2 and ordered.answers[-1].by_order
    plain.answer("wait")
    assert ordered.seq_of("red") == plain.seq_of("red") == 3
    assert ordered.seq_of("nobody") == 1


def test_a_number_never_stands_for_two_questions() -> None:
    """Also when answers are taken back again and again, with real dice and without."""
    rng = random.Random(5)
    for script in ((), None):
        game = Session(TOY, ToyScenario(), seed=None if script is not None else b"1", script=script, solo=True)
        seen: dict[tuple[str, int], int] = {}
        for _ in range(400):
            ask = game.ask
            if ask is None or (rng.random() < 0.3 and game.answers):
                game.undo()
                continue
            key = (ask.side, game.seq_of(ask.side))
            assert seen.setdefault(key, game.seq) == game.seq
            faces = " ".join(str(rng.randint(1, 6)) for _ in range(2))
            game.answer(f"dice {faces}" if isinstance(ask, FacesAsk) else rng.choice(ask.options).key)


def test_a_granted_take_back_goes_behind_dice_and_the_other_side() -> None:
    game = session(5, 5)
    game.answer("wait")
    before = game.digest
    game.answer("shoot b0 r1")
    game.answer("pass")
    assert game.state.men["r1"].gone
    game.take_back("blue")
    assert game.digest == before and game.ask and game.ask.side == "blue"
    game.take_back("red")
    assert not game.answers and game.ask.side == "red"
    with pytest.raises(UndoError, match="nothing has been answered"):
        game.take_back("red")


def test_a_solo_player_may_undo_anything() -> None:
    game = session(5, 5, solo=True)
    game.answer("shoot r0 b1")
    game.answer("pass")
    game.undo()
    assert not game.state.men["b1"].gone and game.ask and game.ask.reaction == "duck"
    assert game.dice.position == 0


@pytest.mark.parametrize("snapshots", [True, False])
def test_a_fork_has_the_same_question_and_the_same_future(snapshots: bool) -> None:
    rng = random.Random(4)
    game = Session(TOY, SCENARIO, seed=b"forks", snapshots=snapshots)
    while game.ask is not None:
        copy = game.fork()
        assert copy.ask is not None and copy.digest == game.digest
        assert [o.key for o in copy.ask.options] == [o.key for o in game.ask.options]
        play_on(copy, random.Random(1))
        again = game.fork()
        play_on(again, random.Random(1))
        assert again.digest == copy.digest and again.log == copy.log
        game.answer(rng.choice(game.ask.options).key)


def test_a_fork_for_thinking_has_dice_of_its_own() -> None:
    game = Session(TOY, SCENARIO, seed=b"real")
    thought = game.fork(seed=b"other")
    assert isinstance(thought.dice, FairDice) and thought.dice.seed == b"other"
    play_on(thought, random.Random(0))
    assert not game.answers


def test_save_load_and_replay_to_the_same_bytes() -> None:
    game = Session(TOY, SCENARIO, seed=b"saves")
    game.answer("shoot r0 b0")  # saved inside a reaction
    data = game.save()
    back = load(data, TOY, SCENARIO)
    assert back.save() == data and back.digest == game.digest and back.ask and back.ask.reaction == "duck"
    play_on(back, random.Random(2))
    play_on(game, random.Random(2))
    assert back.save() == game.save() and back.log == game.log and game.result


def test_a_save_that_was_tampered_with_is_refused() -> None:
    game = Session(TOY, SCENARIO, seed=b"saves")
    play_on(game, random.Random(2), 5)
    save = json.loads(game.save())
    for change, error in [
        ({"version": 99}, VersionError),
        ({"rules": 99}, VersionError),
        ({"digest": "00"}, MalformedError),
        ({"answers": [["red", "fly", False]]}, MalformedError),
        ({"answers": [["blue", "wait", False]]}, MalformedError),
        ({"seed": "xyz"}, MalformedError),
        ({"format": "?"}, MalformedError),
        ({"answers": 3}, MalformedError),
    ]:
        with pytest.raises(error) as told:
            load(json.dumps({**save, **change}).encode(), TOY, SCENARIO, name="my.save")
        assert "my.save" in str(told.value)
    assert "version 1" in str(_error(json.dumps({**save, "version": 2}).encode()))


def _error(data: bytes) -> Exception:
    with pytest.raises(MalformedError) as told:
        read_save(data, "a")
    return told.value


@given(st.binary(max_size=200))
def test_any_bytes_as_a_save_are_malformed(data: bytes) -> None:
    with pytest.raises(MalformedError):
        read_save(data, "any")


def test_a_plan_runs_until_something_unexpected() -> None:
    game = session(1, 1)
    assert game.plan(["shoot r0 b0", "wait"]) == 1  # blue is asked whether to duck
    assert game.ask and game.ask.side == "blue"
    assert game.plan(["fly"]) == 0


def test_standing_orders_answer_reactions_and_are_logged() -> None:
    game = session(1, 1, 1, 1, 5, 5)
    game.give_order(StandingOrder("blue", "duck"))
    game.answer("shoot r0 b0")
    assert game.ask and game.ask.quiet and game.answers[-1].by_order
    assert [e.by_order for e in game.log if isinstance(e, Asked)] == [False, True]
    game.answer("shoot b0 r0")
    assert game.ask.reaction == "duck" and game.ask.side == "red"  # the order is blue's only


def test_standing_orders_have_limits() -> None:
    game = session(1, 1)
    game.answer("shoot r0 b0")
    game.give_order(StandingOrder("blue", "duck", beyond=2))  # the option's range is 2: not beyond
    assert game.ask and game.ask.reaction == "duck"
    game.give_order(StandingOrder("blue", "duck", below=0.99))
    assert game.ask and game.ask.quiet


def test_exact_odds_come_from_the_rules_themselves() -> None:
    game = session()
    game.answer("shoot r0 b1")
    odds = game.odds("pass")
    assert odds.exact and sum(o.probability for o in odds.outcomes) == 1
    chances = {o.results: o.probability for o in odds.outcomes}
    # column 1: 10 or more kills (6/36), 8 and 9 shake (9/36) unless 7 or more (21/36) steadies
    assert chances[("b1 gone",)] == Fraction(6, 36)
    assert chances[("b1 shaken",)] == Fraction(9, 36) * Fraction(15, 36)
    assert game.odds("duck").to_us < odds.to_us and odds.to_them == 0
    assert [(what, t.total, side) for what, t, side in odds.tallies] == [("shot", 1, "red")]
    assert game.ask and game.ask.reaction == "duck" and game.answers[-1].key == "shoot r0 b1"


def test_odds_of_a_chain_of_answers_and_of_nonsense() -> None:
    game = session()
    with pytest.raises(IllegalError):
        game.odds("fly")
    with pytest.raises(IllegalError, match="'fly' is not an answer to “b1: duck"):
        game.odds("shoot r0 b1", "fly")
    with pytest.raises(IllegalError, match="'pass' is not an answer"):
        game.odds("wait", "pass")
    # A reaction that is given is played, and not only looked at.
    ducked = game.odds("shoot r0 b1", "duck")
    assert ducked.to_them == Fraction(6, 36) * Fraction(15, 36) and ducked.assumed == () and ducked.reached == 1
    stood = game.odds("shoot r0 b1", "pass")
    assert stood.to_them > ducked.to_them and stood.to_us == 0


def test_odds_say_which_answers_of_the_other_side_they_assume() -> None:
    odds = session().odds("shoot r0 b1")
    assert [(each.side, each.prompt, each.key, each.label) for each in odds.assumed] == [
        ("blue", "b1: duck?", "pass", "Stand")
    ]
    assert odds.assumed[0].text == "Assuming the Blue player answers “b1: duck?” with “Stand”"
    assert odds.outcomes == session().odds("shoot r0 b1", "pass").outcomes


def test_an_answer_after_dice_counts_where_it_is_asked_for() -> None:
    """Further answers are played on: the next shot is red's only where it is asked again."""
    odds = session().odds("shoot r0 b1", "pass", "wait", "shoot r1 b1")
    assert 0 < odds.reached < 1, "b1 may be gone by then"
    assert odds.to_them > session().odds("shoot r0 b1", "pass").to_them
    with pytest.raises(IllegalError, match="'shoot r1 b9'"):
        session().odds("shoot r0 b1", "pass", "wait", "shoot r1 b9")


def test_a_first_estimate_is_there_in_no_time() -> None:
    game = Session(TOY, SCENARIO, seed=b"sampling")
    exact = game.odds("shoot r0 b1")
    assert game.odds("shoot r0 b1", seconds=60.0) == exact, "exact at once where that is quick"
    rough = game.odds("shoot r0 b1", seconds=0.0)
    assert not rough.exact and FEWEST <= rough.paths < 2000
    assert sum(outcome.probability for outcome in rough.outcomes) == 1 and rough.assumed == exact.assumed


@pytest.mark.parametrize(("each", "samples"), [(0.25, FEWEST), (0.02, 15), (0.006, 49)])
def test_a_first_estimate_stops_when_its_time_is_up(each: float, samples: int) -> None:
    """By a clock that goes on with every path: the first takes half the time, a few samples are made anyway."""

    class Slow(Session):
        now = 0.0

        def rerun(self) -> tuple[Battle[object], Rules, Ask | None]:
            self.now += each if self.now else 0.31
            return super().rerun()

    game = Slow(TOY, SCENARIO, seed=b"sampling")
    rough = odds(game, ["shoot r0 b1"], seconds=0.6, clock=lambda: game.now)
    assert (rough.exact, rough.paths) == (False, samples)


def test_odds_fall_back_to_sampling_and_say_so() -> None:
    from grognard.core.odds import odds

    game = Session(TOY, SCENARIO, seed=b"sampling")
    game.answer("shoot r0 b1")
    found = odds(game, ["pass"], branches=2, samples=200)
    assert not found.exact and sum(o.probability for o in found.outcomes) == 1


def test_odds_agree_with_many_real_rolls() -> None:
    game = Session(TOY, SCENARIO, seed=b"x")
    game.answer("shoot r0 b1")
    expected = {o.results: float(o.probability) for o in game.odds("pass").outcomes}
    seen: dict[tuple[str, ...], int] = {}
    for i in range(2000):
        copy = game.fork(seed=i.to_bytes(4, "big"))
        events = copy.answer("pass")
        key = tuple(f"{e.man} {e.how}" for e in events if isinstance(e, Fell))
        seen[key] = seen.get(key, 0) + 1
    for key, chance in expected.items():
        assert abs(seen.get(key, 0) / 2000 - chance) < 4 * (chance * (1 - chance) / 2000) ** 0.5 + 1e-9


def test_a_side_does_not_learn_what_is_hidden() -> None:
    game = session()
    assert [u.id for u in game.view("red").units] == ["r0", "r1", "r2", "b0", "b1"]
    assert "b2" in [u.id for u in game.view("blue").units]
    assert game.view("blue").ask is None and game.view("red").ask is not None


def test_the_luck_report_compares_rolls_with_expectation() -> None:
    game = session(6, 6)
    game.answer("shoot r0 b1")
    game.answer("pass")
    luck = game.luck()["red"]["shot"]
    assert luck.rolls == 1 and luck.value == 2 and luck.expected == pytest.approx((6 * 2 + 9) / 36)
    assert luck.deviations > 1
    # What is thrown for nobody is nobody's luck.
    shown = luck_views({"": {"a further turn": luck}, "red": {"shot": luck}})
    assert [(row.side, row.what) for row in shown] == [("red", "shot")]


def test_the_parts_of_odds_tell_each_thing_by_itself() -> None:
    names = {"g1": "Squad g1", "g9": "75mm Pak 40 g9", "a9": "M8 Car a9"}

    def lost(unit: str, men: int, side: str = "german") -> Change:
        return Change(unit, "loses #", men, "man", side=side, harm=True)

    def pinned(unit: str, pins: int) -> Change:
        return Change(unit, "takes #", pins, "pin", side="german", harm=True)

    gone = Change("g1", "is destroyed", side="german", harm=True, fatal=True)

    def outcome(sixths: int, *changes: Change) -> Outcome:
        return Outcome(Fraction(sixths, 6), changes)

    wide = Odds(
        "american",
        (
            outcome(2, lost("g1", 3), lost("a9", 1, "american"), gone),
            outcome(2, pinned("g1", 2), lost("g1", 1)),
            outcome(1, pinned("g1", 1), pinned("g9", 1)),
            outcome(1),
        ),
        (),
        True,
        4,
        names=names,
    )
    assert [(part.probability, part.text) for part in wide.parts] == [
        (Fraction(4, 6), "Squad g1 loses 2.0 men on average"),
        (Fraction(3, 6), "Squad g1 takes 1.7 pins on average"),
        (Fraction(2, 6), "M8 Car a9 loses 1 man"),
        (Fraction(2, 6), "Squad g1 is destroyed"),
        (Fraction(1, 6), "75mm Pak 40 g9 takes 1 pin"),
    ]
    assert (wide.to_them, wide.to_us, wide.besides) == (Fraction(5, 6), Fraction(2, 6), 0), "never added up"
    assert wide.say([lost("g1", 3), gone, lost("a9", 1)]) == "Squad g1 loses 3 men, is destroyed; M8 Car a9 loses 1 man"


def test_every_roll_can_be_checked_from_the_seed() -> None:
    game = Session(TOY, SCENARIO, seed=b"open book")
    play_on(game, random.Random(3))
    rolls = [e for e in game.log if isinstance(e, Rolled)]
    assert rolls
    for count, roll in enumerate(rolls, 1):
        assert roll.faces == fair_faces(b"open book", count, 2, 6)


def test_a_finished_battle_takes_no_answer() -> None:
    game = Session(TOY, SCENARIO, seed=b"end")
    play_on(game, random.Random(3))
    assert game.over and game.result
    for call in (game.answer, game.odds):
        with pytest.raises(IllegalError, match="the battle is over"):
            call("wait")
