"""Names for people: without ids, always the same, and without a word of what is secret."""

from __future__ import annotations

import random
import re

import pytest

from grognard.core.callings import Enrolled, callings, made_in_play
from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.open_files import find_games
from grognard.core.session import Session


def test_units_alike_are_numbered_and_the_others_are_not() -> None:
    roll = [
        Enrolled("g1", "german", "Tiger"),
        Enrolled("g2", "german", "Leutnant"),
        Enrolled("g3", "german", "Tiger"),
    ]
    assert callings(roll) == {"g1": "Tiger 1", "g2": "Leutnant", "g3": "Tiger 2"}


def test_what_both_sides_have_is_told_by_its_side() -> None:
    roll = [
        Enrolled("a1", "american", "Rifle Squad"),
        Enrolled("a2", "american", "Rifle Squad"),
        Enrolled("g1", "german", "Rifle Squad"),
        Enrolled("g2", "german", "Infantry squad"),
        Enrolled("a3", "american", "Infantry squad"),
        Enrolled("a4", "american", "PIAT team"),
        Enrolled("g4", "german", "PIAT team"),
    ]
    assert callings(roll) == {
        "a1": "American Rifle Squad 1",
        "a2": "American Rifle Squad 2",
        "g1": "German Rifle Squad",
        "g2": "German infantry squad",
        "a3": "American infantry squad",
        "a4": "American PIAT team",
        "g4": "German PIAT team",
    }


def test_names_tell_nothing_of_what_is_held_back() -> None:
    """Whatever waits in secret, everybody in the open is called the same, and so is the one that comes."""
    seen = [Enrolled("a1", "american", "Squad"), Enrolled("g1", "german", "Tiger")]
    second = Enrolled("a3", "american", "Squad", True)
    found = {
        title: callings([*seen, Enrolled("a2", "american", title, True), second])
        for title in ("Squad", "Tiger", "Jeep")
    }
    assert {tuple(names[id] for id in ("a1", "g1", "a3")) for names in found.values()} == {
        ("Squad", "Tiger", "Squad 3")
    }


def test_a_counter_made_in_play_has_a_letter() -> None:
    assert made_in_play("Crew", "crew1.g") == "Crew A"
    assert made_in_play("Crew", "crew27.g") == "Crew (27)"


def scenarios() -> list[tuple[Game, str]]:
    return [(game, name) for game in find_games() for name in game.scenario_files()]


@pytest.mark.parametrize(("game", "name"), scenarios(), ids=lambda value: getattr(value, "name", value))
def test_no_two_units_share_a_name_and_none_has_its_id_in_it(game: Game, name: str) -> None:
    scenario = game.for_people(game.load_scenario(Document.read(game.scenario_files()[name])))
    battle = game.battle(scenario, game.begin(scenario), ScriptedDice(()))
    roll = list(game.enrolled(battle))
    names = game.names(battle)
    called = [names[unit.id] for unit in roll]
    assert len(set(called)) == len(called)
    for unit in roll:
        if not unit.id[-1].isdigit():
            continue  # a truck may well be called a truck
        assert not re.search(rf"(?<![\w]){re.escape(unit.id)}(?!\w)", names[unit.id]), names[unit.id]


@pytest.mark.parametrize(
    ("game", "name"),
    [(game, next(iter(game.scenario_files()))) for game in find_games()],
    ids=lambda value: getattr(value, "name", value),
)
def test_names_for_people_change_nothing_but_words(game: Game, name: str) -> None:
    """The same answers lead to the same state, with the same questions, whatever units are called."""
    plain = game.load_scenario(Document.read(game.scenario_files()[name]))
    seed = b"sixteen bytes!!!"
    one, other = Session(game, plain, seed=seed), Session(game, game.for_people(plain), seed=seed)
    rng = random.Random(1)
    texts: list[str] = []
    for _ in range(150):
        if one.ask is None:
            break
        assert other.ask is not None
        assert [option.key for option in one.ask.options] == [option.key for option in other.ask.options]
        texts += [other.ask.prompt, *(option.label for option in other.ask.options)]
        key = rng.choice(one.ask.options).key
        one.answer(key)
        other.answer(key)
        assert one.digest == other.digest
    assert one.save() == other.save()
    texts += [line.text for line in other.lines("") if line.kind != "Asked"]
    ids = {unit.id for unit in game.enrolled(other.battle) if re.fullmatch(r"[a-z]+\d+", unit.id)}
    told = re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(ids))})(?![\w.])")
    assert not [text for text in texts if told.search(text)]
