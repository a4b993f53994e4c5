"""What helps people to play: charts, verbs, lessons, the choices of random battles."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.open_files import open_position
from grognard.core.session import Session
from grognard.games.bolt_action.charts import FOLDER, charts
from grognard.games.bolt_action.game import GAME
from tests.games.bolt_action.play import answer, play, unit


def test_every_chart_has_a_heading_and_every_heading_a_chart() -> None:
    shown = {chart.id for chart in GAME.charts()}
    tables = {name for name, table in charts().tables.items() if isinstance(table, dict)}
    assert tables - shown <= {
        "rally",
        "fubar_figures",
        "morale",
        "damage_result_figures",
        "national",
        "upgrade_limits",
    }
    assert all(chart.rows and chart.provenance for chart in GAME.charts())
    assert not GAME.chart_overrides()


def test_charts_say_where_they_come_from() -> None:
    provenance = {chart.id: chart.provenance for chart in GAME.charts()}
    assert provenance["to_hit"] == "rulebook"
    assert provenance["barrage"] == "reconstructed"
    assert provenance["officers"] == "published"


def test_the_letters_of_verbs_offered_together_differ() -> None:
    orders = {verb.verb: verb.letter for verb in GAME.verbs()}
    six = [orders[order] for order in ("fire", "advance", "run", "ambush", "rally", "down")]
    assert len(set(six)) == 6
    assert not set(orders.values()) & {"n", "u", "p"}


@pytest.mark.parametrize("name", ["first_steps", "oder_suburb"])
def test_every_verb_of_a_battle_has_help(name: str) -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    session = Session(GAME, scenario, seed=b"verbs", snapshots=False)
    known, dice = {verb.verb for verb in GAME.verbs()}, random.Random(3)
    for _ in range(150):
        if session.ask is None:
            break
        assert {option.verb for option in session.ask.options} <= known
        session.answer(dice.choice(session.ask.options).key, trusted=True)


def test_the_lesson_cites_units_events_and_verbs_that_there_are() -> None:
    (lesson,) = GAME.lessons()
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[lesson.scenario]))
    assert lesson.side in scenario.sides
    verbs = {verb.verb for verb in GAME.verbs()}
    units = {placing.id for placing in scenario.units}
    text = "".join(path.read_text("utf-8") for path in FOLDER.glob("*_events.py"))
    events = set(re.findall(r"^class (\w+)\(", text, re.MULTILINE))
    for step in lesson.steps:
        for cue in (step.when, step.done):
            if cue.offered:
                verb, _, unit = cue.offered.partition(" ")
                assert not unit or verb != "unit" or unit in units, step.id
            if cue.answered:
                assert cue.answered in verbs, step.id
            if cue.event:
                assert cue.event in events, step.id
        if step.rule:
            assert step.rule in GAME.ledger


def test_forces_are_counted() -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()["crossroads"]))
    listed = GAME.forces(scenario)
    assert "3 Grenadier squad" in listed["german"] and "1064 points" in listed["german"]


@pytest.mark.parametrize("choice", [choice.name for choice in GAME.random_choices()])
def test_every_choice_makes_a_battle(choice: str) -> None:
    one = next(each for each in GAME.random_choices() if each.name == choice)
    assert one.usual in one.values
    for value in one.values:
        assert GAME.random_battle(**{choice: value}).units


def test_a_choice_that_cannot_be_is_told() -> None:
    with pytest.raises(GrognardError, match="random battle: no terrain 'moon'"):
        GAME.random_battle(terrain="moon")


GUNNERY = """
game = "bolt_action"
drawn = "american"
[[unit]]
id = "a1"
kind = "us_m4"
at = [36, 40]
[[unit]]
id = "g1"
kind = "ger_stug3"
at = [30, 24]
[[unit]]
id = "g2"
kind = "ger_infantry"
at = [42, 24]
"""


def test_a_shot_at_one_is_no_way_to_shoot_at_another(tmp_path: Path) -> None:
    file = tmp_path / "gunnery.toml"
    file.write_text(GUNNERY)
    session = open_position(str(file))
    for key in ("unit a1", "fire", "apart"):
        session.answer(key)
    ways = {branch.option.key: branch.follow for branch in session.prospect("a1").branches}
    assert {"at g1 ap", "at g2 ap"} <= set(ways)
    assert not any(follow for key, follow in ways.items() if key.startswith("at "))
    # The machine guns have yet to be declared; the odds are those of the gun alone.
    assert {tally.what for _, tally, _ in session.odds("at g1 ap").tallies} >= {"To hit, 1 × medium anti-tank gun"}
    assert 0 < session.odds("at g1 ap").to_them < 1


def test_pins_of_one_attack_are_told_together() -> None:
    flame = unit("ger_flamethrower", "g1", at=(20, 26), heading=180)
    session = play(unit("us_squad", "a1", at=(20, 30)), flame, drawn="german")
    answer(session, "unit g1", "fire")
    found = session.odds("at a1")
    told = [result for outcome in found.outcomes for result in outcome.results if " takes " in result]
    assert told and not any(
        outcome.results.count(result) > 1 for outcome in found.outcomes for result in outcome.results
    )
    assert any("pins" in result for result in told)
