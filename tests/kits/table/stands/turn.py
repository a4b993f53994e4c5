"""1.1, 1.2: the sequence of play, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Ask, Option, Procedure, Rules
from grognard.core.view import Result
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.calling import call
from tests.kits.table.stands.moving import move, party_of
from tests.kits.table.stands.shooting import shoot, shots


def play(battle: Field) -> Rules:
    """1.1: unit after unit, side after side, turn after turn."""
    state = battle.state
    while result(battle) is None:
        if all(unit.used for unit in battle.units()):
            next_turn(battle)
            continue
        if all(unit.used for unit in battle.units(state.side)):
            state.side = battle.other(state.side)
        yield from use_unit(battle, state.side)


def next_turn(battle: Field) -> None:
    """1.1, 3.3: everybody may be used again, and smoke drifts away."""
    battle.state.turn += 1
    battle.state.smoke.clear()
    battle.invalidate()
    for unit in battle.units():
        unit.used = False


def use_unit(battle: Field, side: str) -> Procedure[None]:
    """1.1: one unit does one thing."""
    answer = yield Ask(side, "Your unit", lambda: list(orders(battle, side)), quiet=True, rule="1.1")
    verb, id, *target = answer.split()
    unit = battle.unit(id)
    if verb == "march":
        yield from move(battle, unit, range(len(unit.models)), "2.1")
    elif verb == "rush":
        yield from move(battle, unit, party_of(battle, unit), "2.4")
    elif verb == "fire":
        yield from shoot(battle, unit, battle.unit(target[0]))
    else:
        yield from call(battle, unit, verb)
    unit.used = True
    battle.state.side = battle.other(side)


def orders(battle: Field, side: str) -> Iterator[Option]:
    """What the units of a side may do that are not used yet."""
    for unit in battle.units(side):
        if unit.used:
            continue
        yield Option(f"march {unit.id}", f"{battle.name(unit)} moves", "march", unit.id, rule="2.1")
        if len(unit.models) > 3:
            yield Option(f"rush {unit.id}", f"The leader of {battle.name(unit)} rushes", "rush", unit.id, rule="2.4")
        for verb in ("shells", "smoke") if not unit.called else ():
            yield Option(f"{verb} {unit.id}", f"{battle.name(unit)} calls {verb}", verb, unit.id, rule="3.2")
        for foe in battle.enemies(side):
            if shots(battle, unit, foe):
                text = f"{battle.name(unit)} shoots at {battle.name(foe)}"
                yield Option(f"fire {unit.id} {foe.id}", text, "fire", unit.id, target=foe.id, rule="3.1")


def result(battle: Field) -> Result | None:
    """1.2: who has won, when it is over."""
    first, second = battle.sides
    left = {side: sum(len(unit.models) for unit in battle.units(side)) for side in battle.sides}
    if battle.state.turn <= battle.scenario.turns and all(left.values()):
        return None
    winner = "" if left[first] == left[second] else max(left, key=lambda side: left[side])
    return Result(winner, f"{left[first]} to {left[second]} are left", "1.2")
