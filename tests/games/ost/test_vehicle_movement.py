"""Vehicle movement and facing (76), and bogging down (77)."""

from __future__ import annotations

import pytest

from grognard.games.ost import combat, move_events, movement, vehicle_movement
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, tally, unit
from tests.games.ost.marches import cost, left, march

# ---- 76: facing --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "76.1", "76.4")
def test_forward_into_the_hex_it_faces_then_turn_one_hexside() -> None:
    session = march("g1 ger_pz4h D4 f=2")
    answer(session, "move g1")
    assert keys(session, "step") == ["step E4"], "only the hex it faces"
    found = movement.bar_step(battle(session), [unit(session, "g1")], "D3")
    assert found is not None and found.rule == "76.4"
    answer(session, "step E4")
    assert keys(session) == ["face 1", "face 2", "face 3"], "keep, or turn one hexside"
    answer(session, "face 3")
    assert unit(session, "g1").facing == 3
    assert session.ask is not None and "5 MP left" in session.ask.prompt, "turning on the way is free"
    assert keys(session, "step") == ["step F4"]


@pytest.mark.rule("ost", "76.4")
def test_the_last_hex_allows_a_turn_too() -> None:
    session = march("g1 ger_tiger2 D7 f=1 shaken")
    answer(session, "move g1", "step D6", "face 1", "step D5", "face 6")
    assert (unit(session, "g1").hex, unit(session, "g1").facing) == ("D5", 6)
    assert session.ask is not None and session.ask.quiet


@pytest.mark.rule("ost", "76.2", "76.3")
@pytest.mark.parametrize(
    ("firer", "front"),
    [
        ("D2", True),
        ("E4", True),
        ("C4", True),
        ("F3", True),
        ("E5", False),
        ("D5", False),
        ("C5", False),
        ("F4", False),
    ],
)
def test_front_and_flank(firer: str, front: bool) -> None:
    """F4 lies exactly on the line between front and flank of a vehicle in D4 that faces north."""
    session = march("g1 ger_pz4h D4 f=1")
    kind = battle(session).type(unit(session, "g1"))
    found = combat.defense_tally(battle(session), unit(session, "g1"), "fire", firers=[firer]).total
    assert kind.front != kind.flank
    assert found == (kind.front if front else kind.flank)


@pytest.mark.rule("ost", "76.5")
def test_fire_comes_before_the_turn() -> None:
    """The Sherman fires at the facing the tank drove in with."""
    session = position("g1 ger_pz4h D6 f=1", "a1 us_m4a1 F5 f=6", dice=(3, 4, 1, 1))
    answer(session, "move g1", "step D5")
    assert session.ask is not None and session.ask.side == "american"
    answer(session, "a1 at g1 main")
    if session.ask.side == "american":
        answer(session, "hold")
    assert "flank" in tally(session, "Defense", "VCT attack").source, "F5 is beside a tank that faces north in D5"
    answer(session, "face 2")
    assert unit(session, "g1").facing == 2


@pytest.mark.rule("ost", "76.6", "76.7", "76.8")
def test_pivot_costs_a_point_anywhere_on_the_way() -> None:
    session = march("g1 ger_pz4h D4 f=2", "a1 us_rifle G4", dice=(1, 1, 1, 1))
    answer(session, "move g1")
    assert cost(session, "pivot 5") == "1 MP"
    assert len(keys(session, "pivot")) == 5
    answer(session, "step E4", "face 2", "pivot 5")
    assert session.ask is not None and "4 MP left" in session.ask.prompt
    answer(session, "step D4", "face 5", "stop")
    turns = happened(session, move_events.Turned)
    assert [turn.facing for turn in turns] == [5]


@pytest.mark.rule("ost", "76.7", "76.6")
def test_a_pivot_alone_is_moving() -> None:
    session = march("g1 ger_pz4h D4 f=2", "a1 us_rifle F4", dice=(1, 1, 1, 1))
    answer(session, "move g1", "pivot 3", "stop")
    mover = unit(session, "g1")
    assert (mover.moved, mover.new_hex, mover.facing) == (True, False, 3)
    answer(session, "fire g1", "at a1 mg")
    assert any(line.id == "moving_fire" for t in rolled(session, "ICT attack")[-1].tallies for line in t.lines)


@pytest.mark.rule("ost", "76.9")
def test_reverse_costs_a_point_more() -> None:
    session = march("g1 ger_pz4h D4 f=1", roads=["D5, D6"], terrain={"brush": "D6"})
    answer(session, "move g1")
    assert keys(session, "reverse") == ["reverse D5"]
    assert cost(session, "reverse D5") == "2 MP"
    answer(session, "reverse D5")
    assert any("reverses from " in line.text and " to D5 " in line.text for line in session.lines("german"))
    assert keys(session) == ["face 6", "face 1", "face 2"]
    answer(session, "face 1")
    assert left(session) == "4", "what is paid is what was offered"
    assert cost(session, "reverse D6") == "1½ MP", "along the road"
    answer(session, "reverse D6", "face 2")
    assert left(session) == "2½"
    assert [event.cost for event in happened(session, move_events.Reversed)] == ["2", "1½"]
    assert (unit(session, "g1").hex, unit(session, "g1").facing) == ("D6", 2)
    found = movement.bar_step(battle(session), [unit(session, "g1")], "D7", reverse=True)
    assert found is not None and found.rule == "76.9"


# ---- 77: bogging down --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "die", "bogs"),
    [
        ("ger_truck", 1, True),
        ("ger_truck", 2, True),
        ("ger_truck", 3, False),
        ("ger_pz4h", 1, True),
        ("ger_pz4h", 2, False),
    ],
)
@pytest.mark.rule("ost", "77.1", "77.2", "77.3", "77.4")
def test_bog_roll(kind: str, die: int, bogs: bool) -> None:
    session = march(f"g1 {kind} D4 f=2", terrain={"shell_holes": "E4"}, dice=(die,))
    answer(session, "move g1", "step E4")
    assert unit(session, "g1").bogged == bogs
    assert unit(session, "g1").hex == "E4"
    assert session.ask is not None and session.ask.quiet == bogs, "bogged it stops; else it goes on"


@pytest.mark.rule("ost", "45.3", "77.2")
def test_marsh_makes_bog_rolls_worse() -> None:
    session = march("g1 ger_pz4h D4 f=2", terrain={"marsh": "E4"}, dice=(2,))
    answer(session, "move g1", "step E4")
    assert unit(session, "g1").bogged
    assert lines(tally(session, "Bog roll")) == {"marsh": -1}


@pytest.mark.rule("ost", "77.3")
def test_bogged_vehicle_fires_but_does_not_move() -> None:
    session = march("g1 ger_pz4h D4 f=2 bogged", "a1 us_rifle F4")
    assert not keys(session, "move") and keys(session, "fire") == ["fire g1"]


@pytest.mark.parametrize(
    ("die", "terrain", "outcome"),
    [
        (6, "open", "freed"),
        (3, "open", "freed"),
        (2, "open", "stays"),
        (1, "open", "immobilized"),
        (3, "marsh", "stays"),
        (2, "marsh", "immobilized"),
        (1, "marsh", "immobilized"),
    ],
)
@pytest.mark.rule("ost", "77.5", "77.6", "77.7", "77.8", "45.3", "111.6")
def test_getting_free(die: int, terrain: str, outcome: str) -> None:
    session = march(
        "g1 ger_pz4h D4 f=2 bogged", terrain={terrain: "D4"}, phase="rally", dice=(die, 6, 6, 1, 1, 6, 6, 1, 1)
    )
    assert len(rolled(session, "Bog roll to get free")) == 1, "one attempt a turn, before the Impulses"
    vehicle = unit(session, "g1")
    assert vehicle.immobilized == (outcome == "immobilized")
    assert vehicle.bogged == (outcome != "freed")
    assert ("move g1" in keys(session)) == (outcome == "freed")


@pytest.mark.rule("ost", "77.5", "77.8", "75.7")
def test_immobilized_by_the_bog_for_good() -> None:
    session = march(
        "g1 ger_pz4h D4 f=2 bogged immobilized", "a1 us_rifle F4", phase="rally", dice=(6, 6, 1, 1, 6, 6, 1, 1)
    )
    assert not rolled(session, "Bog roll to get free")
    assert not keys(session, "move") and keys(session, "fire"), "crew and weapons are unhurt"


@pytest.mark.rule("ost", "30.5", "77.6")
def test_wire_goes_when_the_vehicle_frees_itself() -> None:
    session = march("g1 ger_pz4h D4 f=2", works=["wire E4"], dice=(1,))
    answer(session, "move g1", "step E4")
    assert unit(session, "g1").bogged and "E4" in state(session).works
    free = march("g1 ger_pz4h E4 f=2 bogged", works=["wire E4"], phase="rally", dice=(5, 6, 6, 1, 1, 6, 6, 1, 1))
    assert not unit(free, "g1").bogged and "E4" not in state(free).works


@pytest.mark.rule("ost", "77.5")
def test_no_freeing_in_a_melee() -> None:
    session = march("g1 ger_pz4h D4 bogged f=1", "a1 us_rifle D4", melees=["D4 german"])
    vehicle_movement.free_bogged(battle(session))
    assert unit(session, "g1").bogged and not rolled(session)


@pytest.mark.rule("ost", "76.6", "75.3")
def test_a_vehicle_has_moved_as_soon_as_it_turns() -> None:
    session = march("g1 ger_pz4h D4 f=1")
    answer(session, "move g1")
    assert not unit(session, "g1").moved
    answer(session, "pivot 2")
    assert unit(session, "g1").moved and not unit(session, "g1").new_hex
