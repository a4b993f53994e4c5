"""The combat formula: attacker's Firepower less defender's Defense is the column (86-87, 93, 95).

Everything that changes one of the three numbers of an attack (Firepower, Defense, dice) is a line of its
tally, with its rule. The same tallies are shown before the shot, logged with it, and read by the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.hex.arcs import front_arc
from grognard.core.charts import Chart
from grognard.core.dice import Faces, Reader
from grognard.core.tally import Tally
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import UnitType
from grognard.games.ost.state import GOOD, Unit

if TYPE_CHECKING:
    from grognard.games.ost.sight import Sight


def modify(battle: OstBattle, tally: Tally, id: str, source: str = "", times: int = 1, rule: str = "") -> None:
    """Add the modifier of an id to a tally, or multiply by it: ``times`` where it counts per something.

    ``rule`` where another than the chart's own is behind it.
    """
    line = battle.charts.modifiers[id]
    if line.kind == "fp_mult":
        tally.multiply(id, line.value, rule or line.rule, source)
    else:
        tally.add(id, line.amount * times, rule or line.rule, source)


# ---- Defense (35.3, 86.2) ----

DIRECT = ("fire", "close")  # attacks traced through a hexside; others come from above or below


def defense_tally(
    battle: OstBattle,
    target: Unit,
    kind: str = "fire",
    lines: Sequence[Sight] = (),
    *,
    firers: Sequence[str] = (),
    flank: bool = False,
    crew: bool = False,
) -> Tally:
    """The target's Defense with everything that modifies it.

    ``kind`` is how it is attacked: "fire", "close" (thrown or flamed from the next hex), "mortar", "oba",
    "air", "mines", or "plain" for its printed Defense alone. ``firers`` are the hexes an attack on a vehicle
    comes from: the front Defense counts if all lie in its front arc (76.2, 76.3).
    """
    type_ = battle.type(target)
    if type_.vehicle and not crew:
        tally = _armor(battle, target, type_, firers, flank)
    elif crew:
        tally = Tally("Defense", battle.charts["fixed_defense"]["exposed_crew"], "21.16", "exposed crew")
    else:
        rule = "16.9" if type_.armor_leader else "86.0"
        tally = Tally("Defense", battle.defense(target), rule, type_.name)
    if kind == "plain":
        return tally
    _terrain_defense(battle, tally, target, type_, kind)
    if kind in DIRECT:
        _hexside_defense(battle, tally, target, type_, lines)
    _counter_defense(battle, tally, target, type_)
    if type_.open_top and not crew and kind in ("oba", "air", "close"):
        modify(battle, tally, "open_top", rule="21.19")
    return tally


def _armor(battle: OstBattle, target: Unit, type_: UnitType, firers: Sequence[str], flank: bool) -> Tally:
    """Front or flank Defense, by the side the attack enters (76.2, 76.3, 95.8)."""
    front = not flank and all(front_arc(battle.grid, target.hex, target.facing, hex) for hex in firers)
    if front:
        return Tally("Defense", type_.front, "76.2", f"{type_.name}, front")
    return Tally("Defense", type_.flank, "76.3", f"{type_.name}, flank")


def _terrain_defense(battle: OstBattle, tally: Tally, target: Unit, type_: UnitType, kind: str) -> None:
    """The terrain of the hex (35.3); nothing On Road between buildings (57.2); Airburst among trees (107.13)."""
    terrain = battle.terrain(target.hex)
    if kind == "oba" and terrain.airburst and type_.foot:
        modify(battle, tally, "airburst", terrain.name.replace("_", " "))
    elif terrain.defense and not (terrain.structure and (target.on_road or target.aboard or not type_.foot)):
        tally.add("terrain", terrain.defense, terrain.defense_rule, terrain.name.replace("_", " "))


def _hexside_defense(battle: OstBattle, tally: Tally, target: Unit, type_: UnitType, lines: Sequence[Sight]) -> None:
    """Hedge, wall or bocage of the target's own hex that the attack crosses (46.8, 47.3, 48.5).

    Bocage shelters foot units outside structures and vehicles only (47.4, 47.7). A line through a corner, or a group's
    second line, gives the best of what it crosses.
    """
    best, name = 0, ""
    for line in lines:
        for side in line.sides:
            found = battle.field.hexsides.get(side)
            if found is None:
                continue
            hexside = battle.charts.hexside[found]
            if found == "bocage" and (not type_.foot or target.aboard or battle.in_structure(target)):
                continue
            if hexside.defense > best:
                best, name = hexside.defense, found
    if best:
        tally.add("hexside", best, battle.charts.hexside[name].defense_rule, name.replace("_", " "))


def _counter_defense(battle: OstBattle, tally: Tally, target: Unit, type_: UnitType) -> None:
    """Works, Smoke, wrecks, Rolling Cover and riding (24-34, 79.16-79.18, 81.7)."""
    state, counters = battle.state, battle.charts.counter
    hex = target.hex
    if (work := state.works.get(hex)) is not None:
        counter = counters[work.kind]
        sheltered = {
            "cover": work.side == target.side,  # Z-5
            "foxholes": type_.foot and not target.aboard,
            "trench": type_.foot and not target.aboard,
            "bunker": target.inside,
            "pillbox": target.inside,
        }.get(work.kind, True)
        if counter.defense and sheltered:
            tally.add("work", counter.defense, counter.defense_rule, work.kind)
    if hex in state.smoke:
        tally.add("smoke", counters["smoke"].defense, "33.4", "Smoke")
    if hex in state.wrecks:
        tally.add("wreck", counters["wreck"].defense, "34.2", "wreck")
    if target.partner and type_.squad:
        modify(battle, tally, "rolling_cover", target.partner)
    if target.aboard:
        carrier = battle.type(battle.unit(target.aboard))
        modify(battle, tally, "armored_transport_passenger" if carrier.armored_transport else "exposed_passenger")


# ---- leadership (14, 15.9, 16.5) ----


def of_branch(battle: OstBattle, leader: UnitType, unit: Unit) -> bool:
    """Whether a Leader is of the nation and military branch a unit fights for (14.1).

    A gun fights for the squad that mans it. A Commissar is of every branch of his army (14.4).
    """
    own = battle.kinds[unit.manned_by or unit.kind]
    return leader.nation == own.nation and (leader.all_branches or leader.branch == own.branch)


def combat_leader(battle: OstBattle, unit: Unit) -> Unit | None:
    """The attached Leader who helps a unit in combat: in good order and of its branch (14.1, 14.4, D-3)."""
    leader = battle.leader(unit)
    if leader is None or leader.morale != GOOD:
        return None
    kind = battle.type(leader)
    return leader if kind.armor_leader or of_branch(battle, kind, unit) else None


def lead(battle: OstBattle, tally: Tally, *units: Unit) -> None:
    """+1, at most, for a Leader attached to one of the units who is of the branch of one of them (15.9, 15.11).

    A Fire Group is helped if any member is of his branch (14.3). An Armor Leader helps his vehicle (16.5).
    """
    for unit in units:
        leader = battle.leader(unit)
        if leader is None or leader.morale != GOOD:
            continue
        kind = battle.type(leader)
        if kind.armor_leader:
            modify(battle, tally, "armor_leader", battle.name(leader))
            return
        if any(of_branch(battle, kind, member) for member in units):
            modify(battle, tally, "attached_leader", battle.name(leader))
            return


# ---- the attack roll (86.6, 86.7) ----


AMMO_OUT = "ammo out"


@cache
def jamming(chart: Chart, column: int, add: int) -> Reader:
    """A table's result, followed by "ammo out" where the dice showed a natural pair of ones (18.12)."""

    def read(faces: Faces) -> str:
        result: str = chart.result(sum(faces) + add, column)
        return f"{result} {AMMO_OUT}".strip() if all(face == 1 for face in faces) else result

    read.worth = lambda meaning: chart.worth(told_apart(meaning)[0])  # type: ignore[attr-defined]
    return read


def told_apart(meaning: str) -> tuple[str, bool]:
    """The table's result in what an attack roll says, and whether it was the weapon's last (18.12)."""
    result = meaning.removesuffix(AMMO_OUT).strip()
    return result, result != meaning


def least_firepower(battle: OstBattle, firepower: Tally) -> None:
    """An attacker's Firepower never falls below 1 (86.4)."""
    firepower.at_least(battle.charts["combat"]["min_attacker_fp"], "minimum", "86.4")


class Numbers(NamedTuple):
    """The three numbers of an attack: what is fired, what withstands it, and what modifies the dice."""

    firepower: Tally
    defense: Tally
    roll: Tally


def attack_roll(
    battle: OstBattle, side: str, target: Unit, table: str, numbers: Numbers, *rules: str, sustained: bool = False
) -> tuple[str, bool]:
    """Firepower, at least 1, less Defense is the column; 2D6, modified, give the result (86.4, 86.6, 86.7).

    ``table`` is "ict" or "vct". Also whether the dice ended a weapon under Sustained Fire (18.12).
    """
    firepower, defense, roll = numbers
    chart = battle.charts.ict if table == "ict" else battle.charts.vct
    column = chart.column(firepower.total - defense.total)
    reader = jamming(chart, column, roll.total) if sustained else chart.reader(column, roll.total)
    dice = battle.charts[table]["dice"]
    meaning: str = battle.roll(side, f"{table.upper()} attack", dice, reader, rules, numbers, unit=target.id)
    return told_apart(meaning)
