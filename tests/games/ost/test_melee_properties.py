"""Random Melees: they never fail, keep every invariant, and score exactly what was lost."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grognard.core.dice import FairDice
from grognard.core.events import Event, Rolled
from grognard.games.ost import combat_events, melee, retreats, tank_duel
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.invariants import invariants
from grognard.games.ost.roster import roster
from grognard.games.ost.state import GOOD, LOST, ON_MAP, State

from .fray import AROUND, HEX, Fray, unit

SQUADS = {"american": ["us_rifle", "us_engineer", "us_airborne"], "german": ["ger_rifle", "ger_pioneer", "ger_ss"]}
OTHERS = {"american": ["us_mmg", "us_at57", "us_crew"], "german": ["ger_hmg42", "ger_pak40", "ger_flak36", "ger_crew"]}
VEHICLES = {
    "american": ["us_m4a1", "us_m3_lee", "us_m18", "us_m3a1ht", "us_truck", "us_jeep"],
    "german": ["ger_pz4h", "ger_marder3", "ger_sdkfz251", "ger_truck", "ger_brummbar"],
}
LEADERS = {"american": ["us_sgt", "us_ab_lt"], "german": ["ger_sgt", "ger_ss_lt"]}
ARMOR_LEADERS = {"american": "us_arm_lt", "german": "ger_arm_lt"}
SNIPERS = {"american": "us_sniper", "german": "ger_sniper"}
WEAPONS = [
    "us_bar",
    "ger_lmg",
    "us_bazooka",
    "ger_panzerfaust",
    "us_satchel",
    "us_mortar60",
    "ger_flamethrower",
    "sov_molotov",
]
MORALE = st.sampled_from(["good order", "good order", "good order", "shaken", "broken"])
LOSSES = (
    combat_events.Reduced,
    combat_events.Eliminated,
    combat_events.Wrecked,
    combat_events.Shaken,
    combat_events.Broken,
    combat_events.Damaged,
)


@st.composite
def stacks(draw: st.DrawFn, side: str, hex: str = HEX, tanks_only: bool = False) -> list[dict[str, Any]]:
    """A legal stack of a side: up to two units, Leaders, passengers, weapons, all kinds of markers."""
    letter = side[0] + hex.lower()
    found: list[dict[str, Any]] = []

    def add(kind: str, **more: Any) -> str:
        id = f"{letter}_{len(found)}"
        found.append(unit(kind, id, hex, morale=draw(MORALE), **more))
        return id

    kinds = (
        st.just("vehicle")
        if tanks_only
        else st.sampled_from(["squad", "squad", "other", "vehicle", "leader", "sniper"])
    )
    leaders = 0
    for _ in range(draw(st.integers(1, 2))):
        kind = draw(kinds)
        if kind == "sniper" and not found:
            add(SNIPERS[side])
            return found
        if kind == "vehicle":
            vehicles = VEHICLES[side][:-2] if tanks_only else VEHICLES[side]
            out = {"immobilized": True} if draw(st.booleans()) and draw(st.booleans()) else {}
            name = draw(st.sampled_from(vehicles))
            vehicle = add(name, mgs_out=roster()[name].secondary.fp > 0 and draw(st.booleans()), **out)
            extra = draw(st.sampled_from(["", "", "leader", "passenger"]))
            armored = not found[-1]["kind"].endswith(("truck", "jeep"))
            if extra == "leader" and armored:
                add(ARMOR_LEADERS[side], attached=vehicle)
                found[-1]["morale"] = "good order"
            elif (
                extra == "passenger"
                and not tanks_only
                and found[-1]["kind"] not in ("us_m18", "ger_marder3", "ger_brummbar")
            ):
                rider = add(draw(st.sampled_from(SQUADS[side])), aboard=vehicle, reduced=draw(st.booleans()))
                if leaders < 2 and draw(st.booleans()):
                    leaders += 1
                    add(draw(st.sampled_from(LEADERS[side])), attached=rider)
        elif kind == "squad":
            weapons = draw(st.lists(st.sampled_from(WEAPONS), max_size=2))
            squad = add(draw(st.sampled_from(SQUADS[side])), reduced=draw(st.booleans()), weapons=weapons)
            if leaders < 2 and draw(st.booleans()):
                leaders += 1
                add(draw(st.sampled_from(LEADERS[side])), attached=squad)
        elif kind == "other":
            add(draw(st.sampled_from(OTHERS[side])))
        elif leaders < 2:
            leaders += 1
            add(draw(st.sampled_from(LEADERS[side])))
    return found


@st.composite
def frays(draw: st.DrawFn, tanks_only: bool = False) -> Fray:
    """A Melee with neighbours, rivers and mines around it."""
    units = draw(stacks("american", tanks_only=tanks_only)) + draw(stacks("german", tanks_only=tanks_only))
    river = draw(st.lists(st.sampled_from(AROUND), unique=True))
    mines = []
    for hex in AROUND:
        if hex not in river and draw(st.integers(0, 3)) == 0:
            side = draw(st.sampled_from(["american", "german"]))
            stack = draw(stacks(side, hex))
            hidden = draw(st.booleans())
            units += [{**each, "hidden": hidden} for each in stack]
        elif hex not in river and draw(st.integers(0, 5)) == 0:
            mines.append({"hex": hex, "side": draw(st.sampled_from(["american", "german"]))})
    return Fray(
        *units,
        initiator=draw(st.sampled_from(["american", "german"])),
        map={"terrain": {"river": ", ".join(river)}} if river else None,
        mines=mines,
        options={"melee_shaken": draw(st.sampled_from(["all", "any"]))},
        control={HEX: {"owner": "neutral"}, "C4": {"owner": "german"}},
    )


def play(fray: Fray, seed: int) -> OstBattle:
    """Play the Melee phase with fair dice and random answers."""
    battle = OstBattle(fray.battle.scenario, fray.battle.state, FairDice(seed.to_bytes(8, "big")))
    pick = random.Random(seed)
    procedure = melee.melee_phase(battle)
    try:
        ask = next(procedure)
        while True:
            keys = [option.key for option in ask.options]
            assert len(set(keys)) == len(keys) > 1, ask.prompt
            ask = procedure.send(pick.choice(keys))
    except StopIteration:
        return battle


def worth_lost(battle: OstBattle, before: dict[str, tuple[bool, str]], side: str) -> int:
    """The Casualty Points in a side's losses, counted from the counters themselves (5).

    A vehicle whose crew ran or lived counts one (98.3, 99.4); a crew that is lost after that, another (5.5).
    """
    left = {
        event.unit for event in battle.log if isinstance(event, combat_events.Abandoned | combat_events.CrewSurvived)
    }
    points = sum(
        battle.type(crew).points
        for id, crew in battle.state.units.items()
        if id not in before and crew.side == side and crew.status != ON_MAP
    )
    for id, (reduced, status) in before.items():
        lost = battle.unit(id)
        kind = battle.type(lost)
        if lost.side != side or status != ON_MAP:
            continue
        if lost.status != ON_MAP:
            points += 1 if id in left or reduced else kind.points
        elif lost.reduced and not reduced:
            points += 1
    return points


def before_of(state: State) -> dict[str, tuple[bool, str]]:
    return {id: (unit.reduced, unit.status) for id, unit in state.units.items()}


def check(fray: Fray, seed: int) -> OstBattle:
    before = before_of(fray.battle.state)
    battle = play(fray, seed)
    assert not invariants(battle)
    for side in battle.sides:
        assert battle.state.casualties[battle.other(side)] == worth_lost(battle, before, side)
    left = [retreats.combatants(battle, HEX, side) for side in battle.sides]
    assert (HEX in battle.state.melees) == all(left)
    if HEX in battle.state.melees:
        assert all(any(unit.morale == GOOD for unit in units) for units in left)
        assert not battle.state.melees[HEX].fought
    return battle


def first(log: list[Event], *kinds: type[Event]) -> int:
    return next((i for i, event in enumerate(log) if isinstance(event, kinds)), len(log))


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(frays(), st.integers(0, 2**32))
def test_random_melees(fray: Fray, seed: int) -> None:
    duel = tank_duel.is_duel(fray.battle, HEX)
    battle = check(fray, seed)
    if not duel:
        attacks = [
            i for i, event in enumerate(battle.log) if isinstance(event, Rolled) and event.what == "Melee attack"
        ]
        assert all(i < first(battle.log, *LOSSES) for i in attacks)  # all rolls before any result (102.8)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(frays(tanks_only=True), st.integers(0, 2**32))
def test_random_duels(fray: Fray, seed: int) -> None:
    assert tank_duel.is_duel(fray.battle, HEX)
    battle = check(fray, seed)
    assert HEX not in battle.state.melees  # a duel lasts one turn (104.12)
    shots = [event for event in battle.log if isinstance(event, Rolled) and event.what == "duel shot"]
    assert len(shots) <= 4
    assert all(unit.status != LOST or unit.hex for unit in battle.state.units.values())


@pytest.mark.rule("ost", "99.4", "5.4", "27.8")
@pytest.mark.parametrize(("face", "points"), [(6, 1), (5, 2)])
def test_the_crew_of_a_vehicle_that_retreats_into_mines_may_live(face: int, points: int) -> None:
    """So a vehicle that is lost in the Melee phase may count one, though no crew lives through a Melee itself."""
    fray = Fray(
        unit("us_m4a1", "a1", facing=1, morale="broken"),
        unit("ger_pz4h", "g1", facing=1),
        dice=f"6 6 1 1 1 2 6 6 {face}",
        map={"terrain": {"river": ", ".join(AROUND[1:])}},
        mines=[{"hex": AROUND[0], "side": "german"}],
    )
    before = before_of(fray.battle.state)
    fray.fight()
    assert fray["a1"].status == LOST and bool(fray.events(combat_events.CrewSurvived)) is (points == 1)
    assert fray.battle.state.casualties["german"] == worth_lost(fray.battle, before, "american") == points
