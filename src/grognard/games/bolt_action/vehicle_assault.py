"""Infantry assaulting vehicles (22): who can, what they need to hit, and the one damage roll."""

from __future__ import annotations

from functools import cache

from grognard.core.ask import Bar, Procedure
from grognard.core.dice import Faces, Reader, counts
from grognard.core.tally import Tally
from grognard.games.bolt_action import armour, damage, fire_events, morale, pins
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import ADVANCE, GUN, RUN, Unit
from grognard.games.bolt_action.to_hit import hit_faces

#: Weapons against tanks that infantry carries (22.11).
ANTI_TANK = frozenset({"panzerfaust", "piat", "bazooka", "panzerschreck", "flamethrower_infantry"})


def has_anti_tank(battle: BoltBattle, unit: Unit) -> bool:
    """Whether a unit counts as having anti-tank weapons: by its training, its grenades or what it carries (22.11)."""
    if battle.has(unit, "tank_hunters") or battle.has(unit, "anti_tank_grenades"):
        return True
    return any(
        battle.mount(unit, index).weapon in ANTI_TANK and index not in unit.empty
        for model in unit.models
        for index in model.arms
    )


def needs_test(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether an assault takes an order test at -3: enclosed armour, without anti-tank weapons (22.3)."""
    return battle.type(target).enclosed and not has_anti_tank(battle, unit)


def state_of(target: Unit) -> str:
    """How a vehicle moves as the chart has it: by its die this turn; an immobilised one does not move (22.9)."""
    if not target.immobilised:
        if target.die == RUN:
            return "running"
        if target.die == ADVANCE:
            return "advancing"
    return "otherwise"


def bar(battle: BoltBattle, target: Unit) -> Bar | None:
    """Why a vehicle cannot be assaulted: it is making a Run (22.1)."""
    if state_of(target) == "running":
        return Bar("22.1", "it is making a Run")
    return None


def fight(battle: BoltBattle, unit: Unit, target: Unit) -> Procedure[None]:
    """Every assaulter rolls to hit; all hits together make one damage roll (22.5, 22.6). It does not strike back."""
    chart = charts()["assault_vehicle"][state_of(target)]
    needed = Tally("To hit the vehicle", chart["needed"], "22.5", chart["label"])
    men = sum(model.role != GUN for model in unit.models)
    read = counts((hit_faces(needed.total),) * men)
    hits: int = battle.roll(unit.side, "assault on a vehicle", f"{men}d6", read, ("22.5", "22.9"), (needed,), unit.id)
    battle.emit(
        fire_events.VehicleAssaulted(side=unit.side, unit=unit.id, target=target.id, hits=hits, rules=("22.5",))
    )
    if hits:
        _damage(battle, unit, target, hits)
    pins.settle(battle, target)
    yield from ()


def _damage(battle: BoltBattle, unit: Unit, target: Unit, hits: int) -> None:
    """One die and the hits against the damage value (22.6, 22.7, 22.10)."""
    number, rule, title = damage.value(battle, target)
    value = Tally("Damage value", number, rule, title)
    added = Tally("Added to the die", 0, "22.6")
    added.add("hits", hits, "22.6")
    kind = battle.type(target)
    if not kind.enclosed:
        read = _reaches(hits, number)
        if battle.roll(unit.side, "damage", "1d6", read, ("22.6", "22.7"), (added, value), target.id):
            morale.destroy(battle, target, ("22.7",), "is destroyed")
        return
    superficial = not has_anti_tank(battle, unit)
    read = armour.grade_reader(hits, number, superficial)
    rules = ("22.6", "22.2") if superficial else ("22.6", "22.10")
    grade: str = battle.roll(unit.side, "damage", "1d6", read, rules, (added, value), target.id)
    battle.emit(fire_events.Penetration(side=unit.side, unit=target.id, grade=grade, rules=("19.6",)))
    if grade:
        armour.results(battle, unit.side, target, grade)


@cache
def _reaches(add: int, value: int) -> Reader:
    """Whether a die and what is added reach a damage value; a natural 1 never does (14.4)."""

    def read(faces: Faces) -> bool:
        return faces[0] > 1 and faces[0] + add >= value

    return read
