"""The grammar of "why not?": what words mean, and which of a game's reasons they ask for."""

from __future__ import annotations

import pytest

from grognard.core.ask import Bar
from grognard.core.battle import Battle
from grognard.core.dice import ScriptedDice
from grognard.core.reasons import Wish, some, unless_one_works
from tests.core.toy import TOY, Man, ToyScenario, ToyState


@pytest.fixture
def battle() -> Battle[ToyState]:
    """Three men a side; b2 is hidden, and it is red's shot."""
    scenario = ToyScenario()
    return TOY.battle(scenario, TOY.begin(scenario), ScriptedDice(()))


def told(battle: Battle[ToyState], words: str, side: str = "red", *, reacts: bool = False) -> list[str]:
    return [bar.say() for bar in TOY.why_not(battle, side, words, reacts=reacts)]


def read(battle: Battle[ToyState], words: str, side: str = "red") -> Wish:
    wish = TOY.reasons.read(battle, side, words.split(), {"duck"})
    assert isinstance(wish, Wish)
    return wish


def ids(units: list[Man]) -> list[str]:
    return [unit.id for unit in units]


@pytest.mark.parametrize("words", ["shoot r0 b1 hill", "r0 shoot hill b1", "hill b1 r0 shoot"])
def test_words_come_in_any_order(battle: Battle[ToyState], words: str) -> None:
    wish = read(battle, words)
    assert (wish.verb, ids(wish.own), ids(wish.others), wish.places) == ("shoot", ["r0"], ["b1"], ["hill"])
    assert wish.rest == []


def test_who_acts_is_named_first_and_every_other_unit_is_a_target(battle: Battle[ToyState]) -> None:
    wish = read(battle, "shoot r1 b0 r2 rifle")
    assert ids(wish.own) == ["r1", "r2"] and ids(wish.targets) == ["r2", "b0"] and wish.rest == ["rifle"]


def test_the_referee_asks_for_the_side_of_the_unit_that_he_names(battle: Battle[ToyState]) -> None:
    assert read(battle, "b0 r0", side="").side == "blue"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("shoot r0 x9", "you know of no “x9”; write it as: shoot r1 b1"),
        ("shoot r0 b2", "you know of no “b2”; write it as: shoot r1 b1"),
        ("shoot", "name the unit; write it as: shoot r1 b1"),
        ("", "name the unit; write it as: shoot r1 b1"),
        ("shoot b0", "he is not yours [1.1]"),
    ],
)
def test_words_that_name_nobody_who_may_act_say_so(battle: Battle[ToyState], words: str, says: str) -> None:
    assert told(battle, words) == [says]


def test_a_hidden_unit_is_known_to_its_own_side(battle: Battle[ToyState]) -> None:
    battle.state.side = "blue"
    assert told(battle, "shoot b2", "blue") == []


def test_the_time_comes_before_the_verb(battle: Battle[ToyState]) -> None:
    battle.state.men["b0"].shaken = True
    assert told(battle, "shoot b0", "blue") == ["it is not your shot [1.1]", "it is shaken [1.3]"]
    assert told(battle, "shoot b0", "blue", reacts=True) == ["it is shaken [1.3]"]


def test_a_unit_alone_is_asked_about_the_usual_verbs(battle: Battle[ToyState]) -> None:
    battle.state.men["r0"].shaken = True
    assert told(battle, "r0") == ["shoot: it is shaken [1.3]"]
    assert told(battle, "r1") == []


def test_a_side_does_some_things_without_a_unit(battle: Battle[ToyState]) -> None:
    assert told(battle, "look") == []
    battle.state.men["b2"].hidden = False
    assert told(battle, "look") == ["nobody is hidden [1.4]"]


def test_a_verb_of_another_question_has_no_reason_but_the_time(battle: Battle[ToyState]) -> None:
    assert TOY.reasons.why_not(battle, "red", "duck r0", verbs={"duck"}) == []
    assert [bar.rule for bar in TOY.reasons.why_not(battle, "blue", "duck b0", verbs={"duck"})] == ["1.1"]


def test_every_reason_is_told_once_and_none_where_one_way_is_free() -> None:
    wall, mud = Bar("2.1", "a wall"), Bar("2.2", "mud")
    assert unless_one_works([wall, mud]) == [wall, mud]
    assert unless_one_works([wall, None]) == []
    assert list(some(None)) == [] and list(some(mud)) == [mud]
