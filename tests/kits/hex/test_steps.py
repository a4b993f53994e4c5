"""A game of steps on the kit of hexes: played to the end, saved and read again, its looks kept and compared.

The checks are those of ``tests/conformance``, unchanged: the registry is made to know one game more.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.hex.battlefield import Battlefield
from grognard.core import registry
from grognard.core.dice import ScriptedDice
from grognard.core.errors import GrognardError, MalformedError
from grognard.core.files import Document
from grognard.core.resuming import load
from grognard.core.session import Session
from grognard.core.tactics import Reason
from grognard.kits.hex import invariants
from grognard.kits.hex.looks import SEEN, UNSEEN, Pairs
from grognard.kits.hex.state import LOST, ON_MAP
from grognard.kits.hex.tactics.assignments import Post, share_out
from grognard.kits.hex.tactics.choices import Choice, also, because, propose
from grognard.kits.hex.tactics.land import FAR
from grognard.players.random import RandomPlayer
from tests import fuzz
from tests.conformance import (
    test_answers,
    test_drafts,
    test_play,
    test_prospects,
    test_resume,
    test_saves,
    test_secrets,
)
from tests.conformance.conftest import LONG
from tests.kits.hex.steps import GAME, LIMIT, REACH, Battle, End, Eyes, Ground, State, Unit, bar_hex, options_of, sight

MODULES = (test_answers, test_drafts, test_play, test_prospects, test_resume, test_saves, test_secrets)


def checks() -> list[Any]:
    """Every check that wants a battle, or a battle and a seed, and nothing else."""
    found = []
    for module in MODULES:
        for name, check in inspect.getmembers(module, inspect.isfunction):
            wants = set(inspect.signature(check).parameters)
            if name.startswith("test_") and check.__module__ == module.__name__ and "battle" in wants:
                found.append(pytest.param(check, id=name.removeprefix("test_")))
    return found


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry knows the game, as if it had a folder of its own."""
    find = registry.game
    monkeypatch.setattr(registry, "game", lambda name: GAME if name == GAME.name else find(name))


@pytest.mark.parametrize("check", checks())
def test_it_passes_the_checks_of_every_game(check: Callable[..., None]) -> None:
    seeds = [{"seed": seed} for seed in range(LONG)] if "seed" in inspect.signature(check).parameters else [{}]
    for more in seeds:
        check(battle=(GAME.name, "ridge"), **more)


def test_the_fuzz_draws_plans_and_refused_ones_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "_opened", lambda battle: (GAME, GAME.load_scenario(ridge())))
    drawn = set()
    for number in range(0, 24, 8):  # every eighth game is read again from its save
        row, _ = fuzz.play(fuzz.Plan(number, "steps/ridge", f"drafts {number}", 0.0), 60, lambda line: drawn.add(line))
        assert not row.wrong, row.wrong
    assert any("-> plan {" in line for line in drawn)


def test_a_plan_binds_and_is_its_owner_s_secret() -> None:
    session = Session(GAME, GAME.load_scenario(ridge()), seed=b"secret")
    assert session.ask is not None
    side = session.ask.side
    other = next(name for name in session.scenario.sides if name != side)
    unit = next(unit for unit in session.battle.units(side) if not unit.aboard)
    plan = {"name": "Elm", "group": [{"units": [unit.id], "route": [unit.hex], "width": 0}]}
    session.answer(GAME.drafts(session.battle, side)[0].key(plan))
    assert all(bar_hex(session.battle, unit, hex) for hex in session.battle.grid.adjacent[unit.hex])
    (drawn,) = session.view(side).graphics
    assert (drawn.text, drawn.points) == ("Elm", [unit.hex]) and session.view("").graphics == [drawn]
    assert not session.view(other).graphics and not session.view("watcher").graphics
    for reader, seen in ((side, True), (other, False), ("watcher", False)):
        assert any("Elm" in line.text for line in session.view(reader).log) == seen
    known = session.fork(seed=b"a look")
    GAME.conceal(known.battle, other)
    assert not known.battle.state.plans


def ridge() -> Document:
    return Document.read(GAME.scenario_files()["ridge"])


def board(text: str) -> Battle:
    scenario, state = GAME.load_situation(Document.from_toml(text, "board.toml"))
    return Battle(scenario, state, ScriptedDice(()))


MAP = '[map]\ncolumns = 7\nrows = 7\n[map.terrain]\nwoods = "C4, E3"\nwater = "F6"\n'
SIDES = 'sides = ["red", "blue"]\n'


def units(*words: str) -> str:
    """Units in a few words: side, kind, hex, and who carries them."""
    rows = []
    for word in words:
        side, kind, hex, *aboard = word.split()
        rows.append(f'[[unit]]\nside = "{side}"\nkind = "{kind}"\n' + (f'hex = "{hex}"\n' if hex != "-" else ""))
        rows += [f'aboard = "{aboard[0]}"\n'] if aboard else []
    return "".join(rows)


# ---- play --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_random_games_come_to_an_end_and_break_nothing(seed: int) -> None:
    session, player = Session(GAME, GAME.load_scenario(ridge()), seed=f"steps {seed}".encode()), RandomPlayer(seed)
    verbs = set()
    while session.ask is not None:
        key = player.choose(None, session.ask)
        verbs.add(key.split()[0])
        session.answer(key)
        assert GAME.invariants(session.battle) == []
        again = Battle(session.scenario, GAME.decode(GAME.encode(session.battle.state)), ScriptedDice(()))
        assert {hex: [u.id for u in here] for hex, here in again.at.items()} == {
            hex: [u.id for u in here] for hex, here in session.battle.at.items()
        }
    assert {"move", "go"} <= verbs and session.result is not None
    data = session.save()
    assert load(data, GAME, GAME.load_scenario(ridge())).save() == data


def test_reserves_enter_from_their_turn_on_where_there_is_room() -> None:
    scenario = GAME.load_scenario(ridge())
    battle = Battle(scenario, GAME.begin(scenario), ScriptedDice(()))
    assert not [option for option in options_of(battle, "blue") if option.verb == "enter"]
    battle.state.turn = 2
    battle.place(battle.unit("b1"), "I4")
    battle.place(battle.unit("b2"), "I4")
    assert [option.place for option in options_of(battle, "blue") if option.verb == "enter"] == ["I3", "I5"]


def test_a_truck_takes_along_who_rides_and_stacks_count_all_of_them() -> None:
    battle = board(SIDES + MAP + units("red truck B2", "red platoon - r1", "red platoon C3", "blue platoon G7"))
    truck, rider, other = (battle.unit(id) for id in ("r1", "r2", "r3"))
    assert rider.hex == "B2" and [u.id for u in battle.at["B2"]] == ["r1", "r2"]
    truck.steps = 1
    assert bar_hex(battle, truck, "C3") is not None  # 1 + 3 + 3 steps
    rider.steps = 2
    assert bar_hex(battle, truck, "C3") is None
    battle.place(truck, "C3")
    assert [u.id for u in battle.at["C3"]] == ["r1", "r2", "r3"] and "B2" not in battle.at
    assert battle.stack("C3", "red") == [truck, rider, other] and battle.units("red") == [truck, rider, other]
    battle.lift(other)
    other.status = LOST
    assert battle.units("red") == [truck, rider] and battle.units("blue") == [battle.unit("b1")]


def test_what_no_play_leads_to_is_told_with_its_counter() -> None:
    battle = board(SIDES + MAP + units("red truck B2", "red platoon B2", "blue platoon G7"))
    battle.unit("r2").aboard = "b1"
    battle.unit("b1").hex = "Z9"
    battle.unit("b1").n = 1
    wrong = list(GAME.wrong(battle))
    assert {(each.of, each.key) for each in wrong if each.key} == {("b1", "hex"), ("r2", "aboard")}
    told = " / ".join(each.what for each in wrong)
    assert "same number" in told and "not listed in Z9" in told and "listed in G7 that is not there" in told
    assert not list(invariants.markers(battle, ["A1"])) and len(list(invariants.markers(battle, ["A1", "A99"]))) == 1


# ---- files -------------------------------------------------------------------------------------------------


def test_the_ridge_is_read_with_ids_entries_and_riders() -> None:
    scenario = GAME.load_scenario(ridge())
    assert [u.id for u in scenario.units] == ["r1", "r2", "r9", "r3", "b1", "b2", "b3"]
    rider, late = scenario.units[3], scenario.units[6]
    assert (rider.at, rider.aboard) == ("A4", "r9") and (late.turn, late.entry) == (2, ("I3", "I4", "I5"))
    assert [u.n for u in scenario.units] == list(range(1, 8))
    assert scenario.exits == {"red": frozenset(f"I{n}" for n in range(1, 9)), "blue": frozenset()}
    assert GAME.summary(scenario) == {"map": "9 x 8 hexes", "units": 7, "place": "", "date": ""}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('exit = "I1-I8"', 'exit = "D4"', "D4 is not at the edge of the map"),
        ("turn = 2", "turn = 9", "turn 9 of 8"),
        ("turn = 2", 'turn = 2\nid = "r1"', "twice"),
        ('aboard = "r9"', 'aboard = "b1"', 'no unit "b1" of red'),
        ('at = "A4"', 'at = "A44"', "A44"),
        ('at = "G4"', "", "nowhere to set it up"),
        ("count = 2", "count = 61", "a count of 61"),
        ("columns = 9", "columns = 0", "columns"),
    ],
)
def test_faults_of_a_scenario_are_told(old: str, new: str, told: str) -> None:
    with pytest.raises(MalformedError, match=told):
        GAME.load_scenario(Document.from_toml(ridge().text.replace(old, new), "ridge.toml"))


def test_faults_of_a_situation_are_told_at_once_and_with_their_place() -> None:
    text = SIDES + MAP + units("red platoon B2", "red platoon B2", "red platoon B2", "blue platoon Z1", "blue truck -")
    with pytest.raises(MalformedError) as caught:
        board(text)
    assert "Z1" in str(caught.value) and "b2 needs a place" in str(caught.value)
    with pytest.raises(MalformedError, match="9 steps of red in B2"):
        board(text.replace('"Z1"', '"A7"').replace('"truck"', '"truck"\nhex = "A6"'))


# ---- sight -------------------------------------------------------------------------------------------------

FIELD = Battlefield.from_sketch(
    {"columns": 9, "rows": 9, "terrain": {"woods": "C3, D4, E4, F5, B7, H2"}}, Document({}, "sketch"), "map"
)
assert FIELD.grid is not None
ENDS = st.builds(End, st.sampled_from(FIELD.grid.hexes), st.integers(0, 6))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(ENDS, ENDS, st.sets(st.sampled_from(FIELD.grid.hexes), max_size=4)), min_size=1, max_size=8))
def test_what_is_kept_is_what_the_plain_rule_says(asked: list[tuple[End, End, set[str]]]) -> None:
    eyes, plain = Eyes(FIELD), Eyes(FIELD)
    eyes.keep, eyes.keep_obscured = 3, 2
    for a, b, smoke in asked * 2:
        one, two = eyes.number(a), eyes.number(b)
        state = State({}, smoke=sorted(smoke))
        assert eyes.ask(one, two, state) == plain.look(a, b, frozenset(smoke))
        assert eyes.ask(one, two) == plain.look(a, b)
        assert eyes.verdict(one, two) == (SEEN if plain.look(a, b).clear else UNSEEN)
        assert len(eyes.answers) <= 3 and all(len(each.obscured) <= 2 for each in eyes.answers.values())


def test_an_answer_is_looked_for_once_and_smoke_elsewhere_costs_nothing() -> None:
    eyes = Eyes(FIELD)
    a, b = eyes.number(End("A5")), eyes.number(End("D7", 2))
    assert eyes.ask(a, b).clear and eyes.looked == 1
    assert eyes.ask(a, b, State({}, smoke=["I9"])).clear and eyes.looked == 1
    on_line = next(iter(eyes.between(End("A5"), End("D7", 2))))
    for _ in range(2):
        assert eyes.ask(a, b, State({}, smoke=[on_line])).blocked_by == on_line and eyes.looked == 2


def test_looks_before_a_change_serve_where_it_does_not_matter() -> None:
    before = Eyes(FIELD)
    after = Eyes(FIELD)
    after.before, after.changed = before, frozenset({"B5"})
    far, near = End("A9"), End("C9")
    assert after.ask(after.number(far), after.number(near)).clear
    assert (before.looked, after.looked) == (1, 0)
    over = End("A5"), End("C5")
    after.ask(*map(after.number, over))
    changed = any("B5" in hexes for hexes in [set(before.between(*over))])
    assert (after.looked == 1) == changed and changed


def test_pairs_tell_the_verdict_of_each_pair() -> None:
    numpy = pytest.importorskip("numpy")
    grid = FIELD.grid
    assert grid is not None
    verdict = numpy.full((len(grid.hexes), len(grid.hexes)), -1, dtype=numpy.int8)
    verdict[grid.index["A1"], grid.index["B1"]], verdict[grid.index["A1"], grid.index["C9"]] = 0, 2
    pairs = Pairs(grid, verdict)
    assert pairs.seen_from("A1") == {"B1": 0, "C9": 2} and pairs.degradations("A1", "C9") == 2
    assert pairs.clear("A1", "B1") and not pairs.clear("B1", "A1")


def test_sight_is_told_and_a_field_of_fire_has_its_ring() -> None:
    battle = board(SIDES + MAP + units("red platoon B4", "blue platoon D4"))
    report = GAME.sight(battle, "red", "r1", "D4")
    assert report.view().state == ("clear" if sight(battle, End("B4"), End("D4")).clear else "blocked")
    assert report.verdict() in report.say()
    blocked = GAME.sight(battle, "red", "C3", "C5")
    assert not blocked.sight.clear and blocked.view().text == "C3 to C5, range 2: blocked by woods in C4."
    with pytest.raises(GrognardError, match="neither a hex nor a unit"):
        GAME.sight(battle, "red", "x9", "D4")
    field = GAME.field_of_fire(battle, "red", "r1")
    within = {seen.place for seen in field.places if seen.ring == 0}
    assert within == {hex for hex, far in battle.grid.dist["B4"].items() if 0 < far <= REACH}
    with pytest.raises(GrognardError, match="not a unit you know of"):
        GAME.field_of_fire(battle, "red", "r7")


# ---- tactics -----------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(FIELD.grid.hexes), st.sets(st.sampled_from(FIELD.grid.hexes), max_size=5))
def test_ways_are_the_cheapest_steps_and_are_kept(goal: str, smoke: set[str]) -> None:
    battle = board(SIDES + MAP.replace("7", "9") + units("red platoon A1", "blue platoon I9"))
    battle.state.smoke = sorted(smoke)
    ground = Ground()
    way = ground.way(battle, "red", "foot", [goal])
    assert way is ground.way(battle, "red", "foot", [goal]) and way[goal] == 0
    extra = ground.extra(battle, "red", "foot")
    for hex, steps in ground.steps(battle, "foot").items():
        ahead = ground.by_way(battle, "foot")[hex]
        assert all(ahead[step.way] == step for step in steps) and ahead[0] is None
        if hex != goal:
            onward = [way.get(step.hex, FAR) + step.points + extra.get(step.hex, 0) for step in steps]
            assert way.get(hex, FAR) == min(*onward, FAR)


def test_posts_get_what_they_need_first_and_the_rest_helps() -> None:
    posts = [Post("D4", "hold", 10.0, 4.0), Post("A1", "take", 5.0, 3.0)]
    powers = {"a": 3.0, "b": 3.0, "c": 3.0, "d": 3.0}
    hours = {("a", 0): 0.0, ("a", 1): 9.0, ("b", 0): 2.0, ("b", 1): 1.0}
    hours |= {("c", 0): 3.0, ("c", 1): 2.0, ("d", 0): 4.0, ("d", 1): 0.0}
    given_ = share_out(posts, powers, hours, {0: "c"})
    assert {id: (each.post.hex, each.needed) for id, each in given_.items()} == {
        "c": ("D4", True),
        "a": ("D4", True),
        "d": ("A1", True),
        "b": ("D4", False),
    }


def test_choices_are_told_best_first_with_their_reasons() -> None:
    reasons = also(because("near", 0.25), Reason("nothing", 0.001), Reason("cover", 0.1))
    told = propose([Choice(1.0, "low"), Choice(2.0, "high", reasons), Choice(1.0, "later")], most=2)
    assert [each.key for each in told] == ["high", "low"]
    assert told[0].reasons == (Reason("near", 0.25), Reason("cover", 0.1))


def test_the_state_of_a_unit_lists_what_every_unit_has_first() -> None:
    assert Unit("r1", 1, "platoon", "red").__struct_fields__[:6] == ("id", "n", "kind", "side", "status", "hex")
    assert LIMIT == 6 and ON_MAP == "map"
