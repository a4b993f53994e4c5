"""Player aids of Old School Tactical: charts, fields of fire, names, labels, log sentences and the guided battle."""

from __future__ import annotations

from collections import Counter
from math import inf
from pathlib import Path
from random import Random

import pytest

from grognard.core.aid_views import Cue, FieldView, Lesson
from grognard.core.ask import Ask, Option
from grognard.core.errors import GrognardError
from grognard.core.events import Told
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.core.words import read_seed
from grognard.games.ost import charts, combat_events, move_events, turn_events
from grognard.games.ost.game import GAME
from grognard.games.ost.roster import call
from grognard.games.ost.state import LOST, ON_MAP
from grognard.players import seats
from tests.games.ost.helpers import answer, keys, position, unit

# ---- charts ----------------------------------------------------------------------------------------------


def test_every_table_of_the_charts_is_shown() -> None:
    shown = {chart.id.split(".")[0] for chart in GAME.charts()}
    assert shown == set(charts.charts().tables) - {"meta"}
    assert GAME.chart_overrides() == []
    ict = next(chart for chart in GAME.charts() if chart.id == "ict")
    assert ict.columns[0] == "2d6" and ict.rows[0][0] == "2" and ict.rows[-1][-1] == "X"
    terrain = next(chart for chart in GAME.charts() if chart.id == "terrain")
    woods = dict(zip(terrain.columns, next(row for row in terrain.rows if row[0] == "woods")))
    assert (woods["mp foot"], woods["defense"], woods["los"], woods["rule"]) == ("2", "2", "block", "41")


def test_a_users_own_charts_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = tmp_path / "charts.toml"
    theirs.write_text("[rally]\nshaken_at_least = 6\n")
    monkeypatch.setattr(charts.OstCharts, "_in_force", charts.OstCharts.read(Document.read(theirs)))
    monkeypatch.setattr(charts.OstCharts, "user_file", lambda: theirs)
    assert GAME.chart_overrides() == [str(theirs)]
    found = {chart.id: chart for chart in GAME.charts()}
    assert found["rally"].provenance == found["rally.modifier"].provenance == "user"
    assert found["rally"].source == str(theirs) and ["shaken at least", "6"] in found["rally"].rows
    assert found["ict"].provenance == "reconstructed" and not found["ict"].source


# ---- fields of fire ----------------------------------------------------------------------------------------


def ring(field: FieldView, place: str) -> int:
    return next(seen.ring for seen in field.places if seen.place == place)


def state(field: FieldView, place: str) -> str:
    return next(seen.state for seen in field.places if seen.place == place)


def test_the_rings_of_a_squad_are_its_arms() -> None:
    session = position("g1 ger_rifle A4 with=ger_lmg", "a1 us_rifle J8", terrain={"woods": "D4", "brush": "C6"})
    field = GAME.field_of_fire(session.battle, "german", "g1")
    assert [each.range for each in field.rings] == [6, 8]
    assert "small arms" in field.rings[0].text and "LMG" in field.rings[1].text
    assert (ring(field, "F4"), ring(field, "I4"), ring(field, "J4")) == (0, 1, -1)
    assert state(field, "B4") == "clear" and state(field, "G4") == "blocked"
    assert "degraded" in {seen.state for seen in field.places} and "A4" not in {seen.place for seen in field.places}


def test_a_gun_fires_into_its_arc() -> None:
    session = position("g1 ger_pak40 E4 f=1", "a1 us_rifle J8")
    field = GAME.field_of_fire(session.battle, "german", "g1")
    assert ring(field, "E1") == 0 and ring(field, "E7") == -1
    assert field.rings[0].text == "75mm L/48: 6+ to hit a vehicle, AP 11"


def test_height_carries_a_shot_further_down() -> None:
    session = position("g1 ger_rifle A4", "a1 us_rifle J8", levels={"2": "A4"})
    field = GAME.field_of_fire(session.battle, "german", "g1")
    assert ring(field, "H4") == 0 and ring(field, "I4") == -1
    level = position("g1 ger_rifle A4", "a1 us_rifle J8", levels={"2": "A4, H4"})
    field = GAME.field_of_fire(level.battle, "german", "g1")
    assert ring(field, "H4") == -1, "but no further at its own level"


def test_a_leader_has_his_command_range() -> None:
    session = position("g1 ger_lt E4", "a1 us_rifle J8")
    (command,) = GAME.field_of_fire(session.battle, "german", "g1").rings
    assert (command.range, command.text) == (2, "command range")


def test_no_field_of_fire_of_what_one_does_not_know() -> None:
    session = position("g1 ger_rifle E4 hidden", "a1 us_rifle J8")
    with pytest.raises(GrognardError, match="not a unit you know of on the map"):
        GAME.field_of_fire(session.battle, "american", "g1")
    assert GAME.field_of_fire(session.battle, "german", "g1") == GAME.field_of_fire(session.battle, "", "g1")


def test_sight_in_plain_words() -> None:
    session = position("g1 ger_rifle A4", "a1 us_rifle E4", terrain={"woods": "C4-C5", "brush": "B2"})
    view = GAME.sight(session.battle, "german", "g1", "E4").view()
    assert (view.start, view.end, view.state) == ("A4", "E4", "blocked") and "blocked by woods in C" in view.text
    assert any(each.effect == "block" and each.rule == "41.6" for each in view.crossed)
    clear = GAME.sight(session.battle, "german", "A4", "A8").view()
    assert clear.state == "clear" and clear.text.endswith("in clear sight.")


def test_the_crossing_of_a_hedge_names_both_its_hexes() -> None:
    session = position("g1 ger_rifle D2", "a1 us_rifle D6", hexsides={"hedge": "D4|D5"})
    view = GAME.sight(session.battle, "", "g1", "a1").view()
    assert view.state == "degraded" and "D4|D5" in [place for each in view.crossed for place in each.places]


# ---- names and texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "id", "said"),
    [
        ("Rifle Squad", "g3", "Rifle Squad g3"),
        ("StuG III G", "g3", "StuG III G g3"),
        ("Feldwebel", "feldwebel", "Feldwebel"),
        ("Sergeant (Airborne)", "sergeant", "Sergeant (Airborne)"),
        ("Opel Blitz truck", "truck2", "Opel Blitz truck 2"),
        ("Rifle Squad", "squad1.g", "Rifle Squad 1.g"),
        ("LMG (MG34/42)", "w1", "LMG (MG34/42) w1"),
        ("75mm leIG 18", "gun", "75mm leIG 18 gun"),
    ],
)
def test_no_name_says_the_same_twice(name: str, id: str, said: str) -> None:
    assert call(name, id) == said


def test_labels_of_fire_say_what_is_fired() -> None:
    session = position("g1 ger_rifle D4 with=ger_lmg", "a1 us_rifle D6", "a2 us_m3a1ht D7 f=1")
    answer(session, "fire g1")
    assert session.ask is not None and session.ask.prompt == "Rifle Squad g1: fire at what?"
    labels = {option.key: option.label for option in session.ask.options}
    assert labels["at a1 own"] == "Fire at Rifle Squad a1"
    assert next(label for key, label in labels.items() if key.startswith("at a1 own+")) == (
        "Fire at Rifle Squad a1 with the LMG (MG34/42) too"
    )
    assert labels["at a2:crew own"] == "Fire at the crew of M3A1 Half-track a2"


def test_labels_of_vehicles_say_gun_and_way() -> None:
    session = position("g1 ger_pz4h D4 f=1", "a1 us_rifle D1")
    answer(session, "move g1")
    assert session.ask is not None
    labels = {option.key: option.label for option in session.ask.options}
    assert labels["pivot 3"] == "Turn south-east" and not keys(session, "face")
    session = position("g1 ger_pz4h D4 f=1", "a1 us_rifle D1")
    answer(session, "fire g1")
    assert session.ask is not None
    said = {option.key: option.label for option in session.ask.options}
    assert said["at a1 mg"] == "Fire at Rifle Squad a1 with its machine guns"
    assert said["at a1 main"].startswith("Fire at Rifle Squad a1 with the 75mm")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (move_events.Placed(kind="foxholes", place="D4"), "Foxholes are placed in D4"),
        (move_events.Placed(kind="trench", place="D4"), "Trench is placed in D4"),
        (move_events.Removed(kind="mines", place="D4"), "Mines are removed from D4"),
        (turn_events.Spent(side="german", points=1, left=4), "German spends 1 Impulse Point, 4 left"),
        (turn_events.Scored(side="german", points=2, unit="a1"), "German scores 2 Casualty Points on a1"),
        (turn_events.VictoryScored(side="german", points=1, place="D4"), "German scores 1 Victory Point for D4"),
        (move_events.Turned(unit="g1", facing=2, way="north-east"), "g1 faces north-east"),
        (
            turn_events.Declared(unit="g1", what="fires at", target="a1", how="with the BAR"),
            "g1 fires at a1 with the BAR",
        ),
        (turn_events.Passed(side="german"), "German passes"),
        (move_events.RollingCover(unit="g1", vehicle="g2"), "g1 goes behind g2"),
        (combat_events.MeleeSet(place="D4"), "A Melee begins in D4"),
    ],
)
def test_sentences_of_the_log(event: Told, said: str) -> None:
    assert event.say() == said


def test_a_placed_unit_has_its_name() -> None:
    assert move_events.Placed(kind="g1", place="D4").say({"g1": "Rifle Squad g1"}) == "Rifle Squad g1 is placed in D4"


# ---- forces and losses -------------------------------------------------------------------------------------


def test_forces_and_losses() -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()["first_patrol"]))
    assert GAME.forces(scenario)["american"] == ["3 Rifle Squad", "1 M1919A4 MMG", "1 Sergeant", "1 BAR"]
    session = position("g1 ger_rifle D4 reduced", "g2 ger_rifle D5", "a1 us_rifle J8")
    unit(session, "g2").status = LOST
    assert GAME.losses(session.battle) == {"german": ["1 Rifle Squad", "1 Rifle Squad (reduced)"], "american": []}


# ---- the guided battle -------------------------------------------------------------------------------------


def lesson() -> Lesson:
    (found,) = GAME.lessons()
    return found


#: How much a learner likes what nothing else decides.
LIKED = {"burn": 0.05, "pass": 0.5, "done": 1.5, "cover": 0.4, "drop": 0.05, "destroy": 0.02, "abandon": 0.02}
LIKED |= {"pivot": 0.3, "reverse": 0.3, "detach": 0.05, "exit": 0.05, "hide": 2.0, "show": 0.5, "none": 0.5, "use": 1.5}
LIKED |= {"rally": 3.0, "fire": 2.0, "fire_group": 1.2, "group_move": 0.7, "give": 0.2, "alone": 0.5, "stop": 0.5}


class Learner:
    """Does what the step that shows asks for, and else heads for the cottage, shooting on the way."""

    def __init__(self, seed: int, session: Session) -> None:
        self.random, self.session, self.wanted = Random(seed), session, ""

    def choose(self, ask: Ask) -> str:
        by_verb: dict[str, list[str]] = {}
        for option in ask.options:
            by_verb.setdefault(option.verb, []).append(option.key)
        if wanted := [option.key for option in ask.options if self.wanted and offers(option, self.wanted)]:
            return self.random.choice(wanted)
        for verb in ("assault", "at", "rally", "fire" if self.random.random() < 0.7 else ""):
            if verb in by_verb:
                return self.random.choice(by_verb[verb])
        steps = [option for option in ask.options if option.verb == "step"]
        if steps:
            dist = self.session.battle.grid.dist["G3"]
            nearest = min(steps, key=lambda option: dist[option.place])
            if "stop" not in by_verb or dist[nearest.place] < dist[unit(self.session, nearest.unit).hex]:
                return nearest.key
            return "stop"
        verb = self.random.choices(list(by_verb), [LIKED.get(verb, 1.0) for verb in by_verb])[0]
        return self.random.choice(by_verb[verb])


def holds(cue: Cue, session: Session) -> bool:
    ask = session.ask
    options = ask.options if ask else []
    return (
        (not cue.offered or any(offers(option, cue.offered) for option in options))
        and (not cue.reaction or (ask is not None and ask.reaction == cue.reaction))
        and (not cue.asked or (ask is not None and cue.asked.lower() in ask.prompt.lower()))
        and (not cue.event or cue.event in {type(event).__name__ for event in session.log})
        and (not cue.over or ask is None)
        and on_board(cue, session)
    )


def offers(option: Option, what: str) -> bool:
    """Whether an option is what a cue names: a verb, a key, or how a label begins."""
    return what in (option.verb, option.key) or option.label.startswith(what)


def on_board(cue: Cue, session: Session) -> bool:
    side = lesson().side
    view = GAME.view(session.battle, side)
    at = {each.id: (each.side, each.place) for each in view.units if each.place}
    states = {each.id: set(each.states) for each in view.units}
    owner = {mark.place: mark.side for mark in view.markers if mark.kind == "objective"}
    here = [what.partition(" ") for what in cue.here]
    return (
        all(id in at and (not words or set(words.split("/")) & states[id]) for id, _, words in here)
        and (not cue.held or owner.get(cue.held, "") == side)
        and (not cue.wanted or owner.get(cue.wanted, "") != side)
        and (not cue.mine or (side, cue.mine) in at.values())
        and (not cue.empty or all(place != cue.empty for whose, place in at.values() if whose != side))
    )


def scripted(taught: Lesson, session: Session) -> str | None:
    """What the lesson has its opponent answer here."""
    assert session.ask is not None
    offered = [option.key for option in session.ask.options]
    turn, _ = GAME.turn_of(session.battle)
    return next((key for part in taught.script if (key := part.choose(turn, offered)) is not None), None)


def take_the_lesson(seed: int, dice: str) -> tuple[set[str], str]:
    """Play the lesson; which of its steps were shown, and who won."""
    taught = lesson()
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[taught.scenario]))
    session = Session(GAME, scenario, seed=read_seed(dice), snapshots=False)
    learner, enemy = Learner(seed, session), seats.make_player(taught.opponent, str(seed))
    assert enemy is not None
    shown: dict[str, int] = {}
    done: set[str] = set()
    while True:
        ask = session.ask
        assert any(holds(line.when, session) for line in taught.lines)
        if ask is None or ask.side == taught.side:
            learner.wanted = ""
            for step in taught.steps:
                if step.id in done or not (step.id in shown or holds(step.when, session)):
                    continue
                if not on_board(step.when, session):
                    continue
                began = shown.setdefault(step.id, len(session.log))
                since = {type(event).__name__ for event in session.log[began:]}
                if not (step.done.answered or step.done.event) or step.done.event in since:
                    done.add(step.id)
                    continue
                learner.wanted = step.done.answered or step.when.offered
                break
        if ask is None:
            result = session.result
            assert result is not None
            return set(shown), result.winner
        if ask.side == taught.side:
            key = learner.choose(ask)
            verb = ask.option(key).verb
            done |= {step.id for step in taught.steps if step.id in shown and step.done.answered == verb}
            session.answer(key)
        else:
            session.answer(scripted(taught, session) or seats.pick(enemy, session, inf))


def test_the_guided_battle_shows_its_steps_whatever_happens() -> None:
    """Against its own opponent most steps come up in every play with the lesson's dice; a fight at close quarters often
    does, unless the enemy in the cottage is shot first."""
    plays = [take_the_lesson(seed, lesson().seed) for seed in range(12)]
    counts = Counter(step for shown, _ in plays for step in shown)
    always = {"welcome", "rally", "points", "fire", "log", "select", "move", "under_fire", "undo", "end"}
    assert {step for step, count in counts.items() if count == len(plays)} >= always
    assert counts["react"] >= 8 and counts["assault"] + counts["empty"] >= 8
    assert sum(winner == "american" for _, winner in plays) >= 9


def test_the_guided_battle_teaches_with_any_dice() -> None:
    plays = [take_the_lesson(seed, f"dice {seed}") for seed in range(12)]
    counts = Counter(step for shown, _ in plays for step in shown)
    assert all(counts[step] == len(plays) for step in ("fire", "move", "under_fire", "end"))
    assert counts["rally"] >= 6, "only while the squad is Shaken or Broken"
    own_dice = {step for seed in range(12) for step in take_the_lesson(seed, lesson().seed)[0]}
    assert own_dice | set(counts) == {step.id for step in lesson().steps}, "no step that never comes"


def the_lesson_begins(*keys: str) -> Session:
    """The lesson with its own dice and opponent, after the learner's first answers."""
    taught = lesson()
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[taught.scenario]))
    session = Session(GAME, scenario, seed=read_seed(taught.seed))
    for key in (*keys, None):
        while session.ask is not None and session.ask.side != taught.side:
            found = scripted(taught, session)
            assert found is not None
            session.answer(found)
        if key is not None:
            session.answer(key)
    return session


@pytest.mark.parametrize("how", ["at g1 own", "sustained g1 g1"])
@pytest.mark.parametrize("first", [("rally a2",), ()], ids=["rally first", "fire first"])
def test_the_first_shot_of_the_guided_battle_leaves_something_to_do(first: tuple[str, ...], how: str) -> None:
    """Its dice rally the squad at once and shake or break the enemy in the cottage, who is still there to assault."""
    session = the_lesson_begins(*first, "fire a4", how)
    target = unit(session, "g1")
    assert target.status == ON_MAP and target.morale and unit(session, "a4").status == ON_MAP
    if first:
        assert not unit(session, "a2").morale
    assert session.ask is not None and session.ask.side == lesson().side


def test_in_the_second_turn_of_the_guided_battle_the_enemy_comes_into_sight() -> None:
    session = the_lesson_begins()
    while session.state.turn == 4:
        session.answer("burn" if "burn" in keys(session) else "pass")
        while session.ask is not None and session.ask.side != "american" and session.state.turn == 4:
            session.answer(scripted(lesson(), session) or "stop")
    seen = ""
    while session.ask is not None and session.state.turn == 3 and not seen:
        if session.ask.side == "american":
            seen = session.ask.reaction
            session.answer("pass" if "pass" in keys(session) else "burn")
        else:
            session.answer(scripted(lesson(), session) or keys(session)[-1])
    assert seen == "opportunity fire"


def test_a_squad_of_the_guided_battle_needs_rallying_at_the_start() -> None:
    taught = lesson()
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[taught.scenario]))
    session = Session(GAME, scenario, seed=read_seed(taught.seed))
    assert session.ask is not None and session.ask.side == taught.side and keys(session, "rally") == ["rally a2"]
