"""What a side may see: the view, and the concealed state for odds.

Everything on the table is open to both sides. Only what waits in reserve may be a secret, where a scenario says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from grognard.board.table.places import the
from grognard.core.files import Document
from grognard.core.poses import place
from grognard.core.symbols import symbol_code
from grognard.core.view import MarkerView, ModelView, UnitView, View
from grognard.games.bolt_action import formation, goals, victory
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import FOLDER, charts
from grognard.games.bolt_action.roster import UnitType, plain, roster
from grognard.games.bolt_action.state import CREW, GUN, GUNNER, HULL, LOADER, SPOTTER, Model, Unit, copy_state
from grognard.kits.table import view as kit
from grognard.kits.table.state import ABOARD, EXITED, LOST, ON_TABLE, RESERVE, UNPLACED

TITLES = {
    "deploy": "Deployment",
    "start": "Start of the turn",
    "orders": "Orders",
    "turn_end": "Turn end",
    "over": "The battle is over",
}
_ROLES = {GUNNER: "gunner", LOADER: "loader", CREW: "crew", SPOTTER: "spotter", GUN: "gun"}


def phase_title(phase: str) -> str:
    """What people call a phase."""
    return TITLES.get(phase, phase.capitalize())


# ---- who knows what --------------------------------------------------------------------------------------


def knows_unit(battle: BoltBattle, side: str, unit: Unit) -> bool:
    """Whether a side may know of a unit. A side "" is the referee here and below, who knows everything."""
    if side in ("", unit.side) or not battle.scenario.hidden_reserves:
        return True
    return unit.status != RESERVE and not (unit.status == ABOARD and _waits(battle, unit))


def _waits(battle: BoltBattle, unit: Unit) -> bool:
    carrier = battle.state.units.get(unit.aboard)
    return carrier is not None and carrier.status == RESERVE


def conceal(battle: BoltBattle, side: str) -> None:
    """Take out of the state what a side does not know: which units the enemy has in reserve.

    Their dice stay in the cup: how many there are can be counted.
    """
    for unit in list(battle.state.units.values()):
        if not knows_unit(battle, side, unit):
            unit.kind = _stand_in(battle, unit)
            unit.models, unit.size, unit.quality, unit.green = [], 0, "regular", False
            unit.aboard, unit.status = "", RESERVE
    battle.invalidate()


def _stand_in(battle: BoltBattle, unit: Unit) -> str:
    """What an unknown reserve is taken for: the first unit of its nation's roster, whatever it is."""
    nation = battle.scenario.nations.get(unit.side, "")
    kinds = roster()
    return next((id for id, kind in kinds.items() if kind.nation == nation), next(iter(kinds)))


def as_known(battle: BoltBattle, side: str) -> BoltBattle:
    """A copy of the battle as far as a side knows it, for tools; all of it for the referee."""
    if not side or not battle.scenario.hidden_reserves:
        return battle
    known = BoltBattle(battle.scenario, copy_state(battle.state), battle.dice)
    conceal(known, side)
    return known


# ---- the view ---------------------------------------------------------------------------------------------


def view(battle: BoltBattle, side: str) -> View:
    """What a side may see, without question and log."""
    state = battle.state
    return View(
        game="bolt_action",
        scenario=battle.scenario.name,
        side=side,
        map=battle.scenario.table.name,
        turn=state.turn,
        phase=phase_title(state.phase),
        active=state.side,
        tracks=tracks(battle, side),
        units=[unit_view(battle, side, unit) for unit in shown(battle, side)],
        markers=list(markers(battle)),
        goal=goals.goal(battle, side),
    )


def shown(battle: BoltBattle, side: str) -> Iterator[Unit]:
    """The units that a view lists: those in the battle, and those still to come that the side knows of."""
    for unit in battle.units(on_table=False):
        if unit.status in (LOST, EXITED) or not knows_unit(battle, side, unit):
            continue
        yield unit


def tracks(battle: BoltBattle, side: str) -> dict[str, dict[str, Any]]:
    """The turn, the dice still in the cup, those set aside, the points so far, and who holds which objective."""
    state, sides = battle.state, battle.sides
    found: dict[str, dict[str, Any]] = {
        "Dice": {each: state.cup.get(each, 0) for each in sides},
        "Points": dict(victory.score(battle)),
        "Losses": {each: len(state.lost.get(each, ())) for each in sides},
        "Turn": {"turn": state.turn, "of": state.last_turn},
    }
    if any(state.aside.values()):
        found["Dice set aside"] = {each: state.aside.get(each, 0) for each in sides}
    if held := kit.held(battle, lambda objective: victory.holder(battle, objective)):
        found["Objectives"] = held
    waiting = {each: _waiting(battle, side, each) for each in sides}
    if any(waiting.values()):
        found["Reserves"] = waiting
    return found


def _waiting(battle: BoltBattle, side: str, whose: str) -> Any:
    reserves = [unit for unit in battle.units(whose, on_table=False) if unit.status == RESERVE]
    if all(knows_unit(battle, side, unit) for unit in reserves):
        return [battle.name(unit) for unit in reserves]
    return f"{len(reserves)} unknown"


def unit_view(battle: BoltBattle, side: str, unit: Unit) -> UnitView:
    """A unit as a side sees it, with its models where they stand."""
    kind = battle.type(unit)
    on_table = unit.status == ON_TABLE and bool(unit.models)
    carrier = battle.state.units.get(unit.aboard)
    where = ""
    if on_table:
        where = place(*battle.anchor(unit))
    elif carrier is not None and carrier.status == ON_TABLE and carrier.models:
        where = place(*battle.anchor(carrier))
    marked = tuple(states(battle, unit))
    return UnitView(
        id=unit.id,
        side=unit.side,
        name=battle.name(unit),
        symbol=symbol(kind, unit.side == side),
        place=where,
        facing=unit.models[0].heading if on_table and looks(battle, unit) else 0,
        with_unit=unit.aboard,
        states=marked,
        stats=stats(battle, unit),
        short=f"{short(kind)} {_mark(battle, unit)}".rstrip(),
        values=values(battle, unit),
        badges=tuple(badges(battle, unit)),
        models=[model_view(battle, unit, model) for model in unit.models] if unit.status != ABOARD else [],
    )


def _mark(battle: BoltBattle, unit: Unit) -> str:
    """What tells a plate from others of its class: the unit's id, or the number in its name for people."""
    if not battle.scenario.callings:
        return unit.id
    return battle.name(unit).casefold().rpartition(plain(battle.title(unit)).casefold())[2].strip()


def looks(battle: BoltBattle, unit: Unit) -> bool:
    """Whether it matters which way a unit looks: vehicles, guns, and teams with a Fixed weapon (B20)."""
    kind = battle.type(unit)
    return kind.vehicle or kind.artillery or kind.moves_as != "infantry"


def model_view(battle: BoltBattle, unit: Unit, model: Model) -> ModelView:
    """A model in inches, with a letter for what it bears and all of it in words."""
    foot = battle.type(unit).foot(model.role)
    bears = [battle.weapon(unit, arm) for arm in model.arms]
    letters = _symbols()["weapon"]
    short = "" if model.role in (GUN, HULL) else next((letters[w.id] for w in bears[::-1] if w.id in letters), "")
    title = ", ".join(weapon.title for weapon in bears) or ("" if model.role in _ROLES else "unarmed")
    role = _ROLES.get(model.role, "")
    if battle.type(unit).rank and model.id == "m1":
        role = charts().officers[battle.type(unit).rank].title
        short = "Lt" if "lieutenant" in battle.type(unit).rank else "Cpt"
    return kit.model_view(model, foot, short=short, title=": ".join(filter(None, (role, title))))


def states(battle: BoltBattle, unit: Unit) -> Iterator[str]:
    """What there is to know of a unit at a glance, in words."""
    if unit.status == UNPLACED:
        yield "to be deployed"
    elif unit.status == RESERVE:
        placing = battle.scenario.placing(unit.id)
        yield f"in reserve until turn {placing.turn}" if placing and placing.turn else "in reserve"
    elif unit.status == ABOARD and unit.aboard in battle.state.units:
        yield f"aboard {battle.name(battle.unit(unit.aboard))}"
    if unit.die:
        yield f"{unit.die} die"
    if unit.pins:
        yield f"{unit.pins} pin{'s' if unit.pins > 1 else ''}"
    if unit.building:
        piece = battle.scenario.table.by_id.get(unit.building)
        yield f"in {the(battle.scenario.table, piece)}" if piece else "in a building"
    flags = {
        "dug in": unit.dug_in,
        "immobilised": unit.immobilised,
        "green": unit.green,
        "out of formation": unit.status == ON_TABLE and formation.broken(battle, unit),
        "has called its strike": unit.called,
    }
    yield from (word for word, on in flags.items() if on)
    if passengers := battle.passengers(unit):
        yield f"carries {', '.join(map(battle.name, passengers))}"
    if unit.ammunition:
        yield f"loaded with {unit.ammunition.upper()}"
    if unit.ranged and unit.ranged in battle.state.units:
        yield f"ranged in on {battle.name(battle.unit(unit.ranged))}"
    for index in unit.empty:
        yield f"{battle.weapon(unit, index).title} empty"


def badges(battle: BoltBattle, unit: Unit) -> Iterator[str]:
    """What a unit's plate shows: its order die, its pins, and what keeps it from moving."""
    if unit.die:
        yield _symbols()["die"][unit.die]
    if unit.pins:
        yield f"{unit.pins}P"
    if unit.immobilised:
        yield "IMM"
    if unit.dug_in:
        yield "DUG"
    if passengers := battle.passengers(unit):
        yield f"+{sum(len(battle.men(each)) for each in passengers)}"


def values(battle: BoltBattle, unit: Unit) -> str:
    """The figures of a plate: men of those it began with and morale, or a vehicle's damage value and morale."""
    kind = battle.type(unit)
    morale = battle.quality(unit).morale
    if kind.vehicle:
        return f"D{charts().damage_classes[kind.damage_class].value} M{morale}"
    return f"{len(battle.men(unit))}/{unit.size} M{morale}"


def stats(battle: BoltBattle, unit: Unit) -> dict[str, Any]:
    """What a unit is by rule, for its card."""
    kind, now = battle.type(unit), charts()
    quality = battle.quality(unit)
    found: dict[str, Any] = {"quality": quality.title, "morale": quality.morale}
    if kind.vehicle:
        armour = now.damage_classes[kind.damage_class]
        found |= {"class": armour.title, "damage value": armour.value}
    else:
        found |= {"men": f"{len(battle.men(unit))} of {unit.size}", "damage value": quality.damage_value}
    rate = now.rates[kind.moves_as]
    found["move"] = f"Advance {rate.advance / 100:g}, Run {rate.run / 100:g}"
    if kind.rank:
        officer = now.officers[kind.rank]
        found["officer"] = f"+{officer.bonus} morale within {officer.range / 100:g}"
    if kind.transport_capacity:
        found["carries"] = kind.transport_capacity
    if kind.tow:
        found["tows"] = ", ".join(word.removeprefix("gun_") for word in kind.tow) + " guns"
    if kind.weapons:
        found["weapons"] = weapon_rows(battle, unit)
    if kind.special:
        found["special"] = ", ".join(sorted(word.replace("_", " ") for word in kind.special))
    found["points"] = kind.points
    return found


def weapon_rows(battle: BoltBattle, unit: Unit) -> list[dict[str, Any]]:
    """The weapons that a unit still has, as rows of a small table."""
    kind, rows = battle.type(unit), []
    for index, mount in enumerate(kind.weapons):
        weapon = charts().weapons[mount.weapon]
        left = sum(index in model.arms for model in unit.models) if kind.infantry else mount.count
        if not left:
            continue
        low = f"{weapon.min_indirect / 100:g}-" if weapon.min_indirect and weapon.indirect else ""
        rows.append(
            {
                "weapon": weapon.title,
                "no.": left,
                "range": f"{low}{weapon.max / 100:g}",
                "shots": weapon.shots,
                "pen": "-" if weapon.pen is None else f"+{weapon.pen}",
                "HE": mount.he or weapon.he or "-",
                "arc": mount.arc if mount.mount else 360,
            }
        )
    # What tells nothing of any of them takes no room.
    plain = {"pen": "-", "HE": "-", "arc": 360}
    dull = {column for column, value in plain.items() if all(row[column] == value for row in rows)}
    return [{column: value for column, value in row.items() if column not in dull} for row in rows]


def markers(battle: BoltBattle) -> Iterator[MarkerView]:
    """What lies on the table besides units: objectives, wrecks, smoke, called barrages, changed buildings."""
    near = charts().distance("length", "objective_distance")
    yield from kit.objectives(battle, lambda objective: victory.holder(battle, objective), near)
    yield from kit.wrecks(battle)
    for x, y, radius in battle.state.smoke:
        yield MarkerView("smoke", place(x, y), text="Smoke", radius=radius / 100)
    for strike in battle.state.strikes:
        if strike.kind == "barrage":
            yield MarkerView(
                "barrage", place(strike.x, strike.y), strike.side, text="Barrage called", radius=near / 100
            )
        elif (target := battle.state.units.get(strike.target)) is not None and target.models:
            yield MarkerView("barrage", place(*battle.anchor(target)), strike.side, text="Air strike called")
    yield from kit.changed(battle)


# ---- symbols ----------------------------------------------------------------------------------------------


@cache
def _symbols() -> Any:
    return Document.read(FOLDER / "symbols.toml").data


def _look(kind: UnitType) -> str:
    """The role under which a unit is drawn: guns by what they fire."""
    if kind.artillery:
        weapon = kind.main_weapon
        if "flak" in kind.special:
            return "flak"
        return "howitzer" if weapon is not None and (weapon.howitzer or weapon.indirect) else "gun"
    return kind.role


@cache
def short(kind: UnitType) -> str:
    """One word for what a unit is, as it stands on its plate."""
    word: str = _symbols()["short"][_look(kind)]
    return word


@cache
def symbol(kind: UnitType, own: bool) -> str:
    """The NATO symbol code of a unit, 20 digits; a side sees its own as friends, the enemy as hostile."""
    table = _symbols()["role"][_look(kind)]
    amplifier = {"wheeled": "31", "half_tracked": "34"}.get(kind.mobility, "33") if kind.vehicle else ""
    return symbol_code(table, own, amplifier)
