"""What a side may see (62.3, 73.2, 27.1): the view, the concealed state for odds, and the pictures.

The view is made from what the side may know and nothing else, so that two states which look alike to it
give equal views.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from grognard.board.hex.battlefield import Battlefield
from grognard.core.callings import Enrolled
from grognard.core.files import Document
from grognard.core.symbols import symbol_code
from grognard.core.view import MarkerView, UnitView, View
from grognard.games.ost import goals, setup
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import FOLDER, UnitType, luck_cards
from grognard.games.ost.state import MORALE, OFF_MAP, ON_MAP, PLANE, UNMANNED, UNPLACED, Mines, Unit, Work, copy_state
from grognard.kits.hex import view as kit

UNKNOWN = "unknown"  # a card of the enemy's in a concealed state

TITLES = {
    "setup": "Set-up",
    "luck": "Luck cards",
    "marker": "Turn marker",
    "attach": "Attach Leaders and weapons",
    "rally": "Free Rally",
    "impulses": "Impulse roll",
    "play": "Impulses",
    "melee": "Melee",
    "clean": "Remove markers",
    "score": "Score",
    "over": "The battle is over",
}


def phase_title(phase: str) -> str:
    """What people call a phase."""
    return TITLES.get(phase, phase.capitalize())


# ---- who knows what --------------------------------------------------------------------------------------


def knows_unit(battle: OstBattle, side: str, unit: Unit) -> bool:
    """Whether a side may know of a unit: its own, and of the enemy's what stands on the map unhidden (73.2).

    A side "" is the referee here and below, who knows everything.
    """
    if side in (unit.side, ""):
        return True
    return unit.status in (ON_MAP, UNMANNED) and not unit.hidden and setup.finished(battle, unit.side)


def knows_work(battle: OstBattle, side: str, work: Work) -> bool:
    """Whether a side may know of a work (73.3)."""
    return not side or work.side in (side, "") or (not work.hidden and setup.finished(battle, work.side))


def knows_mines(side: str, mines: Mines) -> bool:
    """Whether a side may know of mines: its own, and those found (27.1, 27.2)."""
    return side in (mines.side, "") or mines.revealed


def conceal(battle: OstBattle, side: str) -> None:
    """Take out of the state what a side does not know: hidden enemies and what is with them, mines, cards."""
    state = battle.state
    for unit in list(state.units.values()):
        if unit.side != side and unit.hidden and unit.status == ON_MAP:
            battle.lift(unit)
            del state.units[unit.id]
    gone = [weapon.id for weapon in state.weapons.values() if weapon.unit and weapon.unit not in state.units]
    for id in gone:
        del state.weapons[id]
    for hex in [hex for hex, work in state.works.items() if not knows_work(battle, side, work)]:
        del state.works[hex]
    for hex in [hex for hex, mines in state.mines.items() if not knows_mines(side, mines)]:
        del state.mines[hex]
    enemy = battle.other(side)
    state.cards[enemy] = [UNKNOWN] * len(state.cards.get(enemy, ()))


def as_known(battle: OstBattle, side: str) -> OstBattle:
    """A copy of the battle as far as a side knows it, for tools; all of it for the referee, and no dice are thrown."""
    if not side:
        return battle
    known = OstBattle(battle.scenario, copy_state(battle.state), battle.dice)
    conceal(known, side)
    return known


# ---- the view ---------------------------------------------------------------------------------------------


def names(battle: OstBattle) -> Mapping[str, str]:
    """How people call units and weapons: "Rifle Squad g3", or as the scenario has it for people."""
    return kit.called(battle) | {weapon.id: battle.name(weapon) for weapon in battle.state.weapons.values()}


def enrolled(battle: OstBattle) -> Iterator[Enrolled]:
    """The order of battle, as a scenario's card prints it. Of a situation nobody knows what is hidden."""
    scenario, kinds, state = battle.scenario, battle.kinds, battle.state
    whose = {weapon.id: weapon.side for weapon in scenario.weapons}
    hidden = {
        unit.id
        for unit in state.units.values()
        if not scenario.units and not knows_unit(battle, battle.other(unit.side), unit)
    }
    yield from kit.enrolled(battle, lambda unit: kinds[unit.kind].name, lambda unit: unit.id in hidden)
    for weapon in state.weapons.values():
        side = whose.get(weapon.id) or (state.units[weapon.unit].side if weapon.unit else "")
        yield Enrolled(weapon.id, side, kinds[weapon.kind].name, weapon.unit in hidden)


def view(battle: OstBattle, side: str) -> View:
    """What a side may see, without question and log."""
    state = battle.state
    return View(
        game="ost",
        scenario=battle.scenario.name,
        side=side,
        map=battle.field.name,
        turn=state.turn,
        phase=phase_title(state.phase),
        active=state.active,
        tracks=tracks(battle, side),
        units=[unit_view(battle, side, unit) for unit in state.units.values() if _shown(battle, side, unit)],
        markers=list(markers(battle, side)),
        goal=goals.goal(battle, side),
    )


def _shown(battle: OstBattle, side: str, unit: Unit) -> bool:
    places = (ON_MAP, UNMANNED, OFF_MAP, PLANE, UNPLACED) if unit.side == side else (ON_MAP, UNMANNED)
    return unit.status in places and knows_unit(battle, side, unit)


def tracks(battle: OstBattle, side: str) -> dict[str, dict[str, Any]]:
    """The trackers (1.0b), the assets, and the side's own cards; of the enemy's cards only how many (62.3)."""
    state, sides = battle.state, battle.sides
    cards: dict[str, Any] = {}
    for each in sides:
        held = state.cards.get(each, [])
        cards[each] = [luck_cards()[card].title for card in held] if each == side else len(held)
    return {
        "Turn": {"turn": state.turn, "of": battle.scenario.turns},
        "Impulse Points": {each: state.points.get(each, 0) for each in sides},
        "Victory Points": {each: state.victory.get(each, 0) for each in sides},
        "Casualty Points": {each: state.casualties.get(each, 0) for each in sides},
        "Assets": {each: dict(state.assets.get(each, {})) for each in sides},
        "Luck cards": cards,
        "Initiative": {state.initiative: "first"} if state.initiative else {},
    }


def unit_view(battle: OstBattle, side: str, unit: Unit) -> UnitView:
    """A counter as a side sees it."""
    kind = battle.type(unit)
    on_board = unit.status in (ON_MAP, UNMANNED)
    figures = stats(battle, unit)
    marked = tuple(states(battle, side, unit))
    return UnitView(
        id=unit.id,
        side=unit.side,
        name=battle.name(unit),
        symbol=symbol(kind, unit.side == side),
        place=unit.hex if on_board or unit.status == PLANE else "",
        facing=unit.facing if setup.faces(kind) or kind.kind == "aircraft" else 0,
        stack=kit.place_in_stack(battle, unit, lambda other: knows_unit(battle, side, other)),
        with_unit=unit.attached or unit.aboard,
        states=marked,
        stats=figures,
        short=short(kind),
        values=_values(figures),
        badges=tuple(badge for state in marked if (badge := badges().get(state, ""))),
    )


@cache
def short(kind: UnitType) -> str:
    """One word for a unit's class, as it stands on its counter."""
    words: dict[str, str] = _symbols()["short"]
    return words.get(kind.class_) or words.get(kind.kind, kind.kind)


@cache
def in_words(kind: UnitType) -> str:
    """What a unit is, for people: its class, or its kind where that says all."""
    return _words(kind.class_ or kind.kind)


def _words(word: str) -> str:
    words: dict[str, str] = _symbols()["words"]
    return words.get(word, word.replace("_", " "))


@cache
def badges() -> dict[str, str]:
    """What a counter in a picture shows for a state; nothing for those that its values or place tell."""
    found: dict[str, str] = Document.read(FOLDER / "symbols.toml").data["badge"]
    return found


def states(battle: OstBattle, side: str, unit: Unit) -> Iterator[str]:
    """The markers on a unit, in words."""
    if unit.status == UNMANNED:
        yield "unmanned"
        return
    if unit.status == OFF_MAP:
        yield f"enters on turn {unit.due}"
    elif unit.status == PLANE:
        yield f"drops on turn {unit.due}" if unit.due else "in an aircraft"
    elif unit.status == UNPLACED:
        yield "to be set up"
    if unit.morale:
        yield MORALE[unit.morale]
    flags = {
        "reduced": unit.reduced,
        "hidden": unit.hidden,
        "moved": unit.moved and not battle.used(unit),
        "fired": bool(unit.fired) and not battle.used(unit),
        "assaulted": unit.assaulted,
        "used": battle.used(unit) and not unit.intensive,
        "intensive fire": unit.intensive,
        "bogged": unit.bogged,
        "immobilized": unit.immobilized,
        "machine guns out": unit.mgs_out,
        "inside": unit.inside,
        "on road": unit.on_road,
        "captured": unit.captured,
        "re-manned": bool(unit.manned_by) and not unit.captured,
        "in melee": battle.in_melee(unit),
        "aboard": bool(unit.aboard) and unit.status == ON_MAP,
    }
    yield from (word for word, on in flags.items() if on)
    guns = battle.type(unit).guns
    yield from (f"{guns[number].name} out" for number in unit.guns_out)
    if unit.clearing:
        yield f"clearing {unit.clearing.replace(' ', ' and ')}"
    if unit.partner:
        yield f"rolling cover with {battle.name(battle.unit(unit.partner))}"
    for target in (battle.state.units[id] for id in unit.acquired.split()):
        if knows_unit(battle, side, target):
            yield f"has acquired {battle.name(target)}"


def stats(battle: OstBattle, unit: Unit) -> dict[str, Any]:
    """What is printed on the side of the counter that shows, in its order, what it is, and the weapons with it."""
    kind = battle.type(unit)
    back = kind.reduced if unit.reduced else None
    found: dict[str, Any] = {}
    if kind.vehicle:
        found |= {"front": kind.front, "flank": kind.flank, "move": kind.move, "movement": kind.move_type}
        if kind.secondary.fp:
            found["secondary"] = f"{kind.secondary.fp}-{kind.secondary.range}"
    elif kind.leader or kind.armor_leader:
        found |= {"command range": kind.command_range, "defense": kind.defense, "move": kind.move}
    elif kind.kind != "aircraft":
        if not kind.guns:
            found |= {"firepower": battle.firepower(unit), "range": back.range if back else kind.range}
        found |= {"defense": battle.defense(unit), "move": back.move if back else kind.move}
    found |= {"type": in_words(kind)} | ({"branch": _words(kind.branch)} if kind.branch else {})
    if kind.guns:
        found["guns"] = [{"name": gun.name, "he": back.he if back else gun.he, "range": gun.range} for gun in kind.guns]
        bands = [
            {"gun": gun.name, "hexes": f"{near}-{far}", "to hit": to_hit, "ap": ap}
            for gun in kind.guns
            for near, far, to_hit, ap in gun.bands
        ]
        found |= {"against armor": bands} if bands else {}
    if weapons := battle.weapons(unit):
        found["weapons"] = [battle.name(weapon) for weapon in weapons]
    return found


def markers(battle: OstBattle, side: str) -> Iterator[MarkerView]:
    """What lies on the map, so far as the side knows."""
    state = battle.state
    for hex, owner in sorted(state.control.items()):
        held = owner.capitalize() or "neutral"
        yield MarkerView("objective", hex, owner, text="contested" if hex in state.melees else held)
    for hex, work in sorted(state.works.items()):
        if knows_work(battle, side, work):
            yield MarkerView(work.kind, hex, work.side, work.facing, "hidden" if work.hidden else "")
    for hex, mines in sorted(state.mines.items()):
        if knows_mines(side, mines):
            yield MarkerView("mines", hex, mines.side, text="" if mines.revealed else "hidden")
    for hex, level in sorted(state.smoke.items()):
        yield MarkerView("smoke", hex, text="Smoke" if level == 1 else "Smoke 2")
    for hex, count in sorted(state.wrecks.items()):
        yield MarkerView("wreck", hex, text=str(count) if count > 1 else "")
    for hex in state.rubble:
        yield MarkerView("rubble", hex)
    for strike in state.strikes:
        yield MarkerView("barrage", strike.hex, strike.side, text=strike.kind)
    for hex in sorted(state.melees):
        yield MarkerView("melee", hex, text="Melee")
    for weapon in state.weapons.values():
        if weapon.hex and not weapon.unit:
            yield MarkerView("weapon", weapon.hex, text=battle.name(weapon))


# ---- symbols and pictures ----------------------------------------------------------------------------------


@cache
def _symbols() -> Any:
    return Document.read(FOLDER / "symbols.toml").data


@cache
def symbol(kind: UnitType, own: bool) -> str:
    """The NATO symbol code of a counter, 20 digits; a side sees its own as friends, the enemy as hostile."""
    tables = _symbols()
    table = tables["class"].get(kind.class_) or tables["kind"][kind.kind]
    return symbol_code(table, own, "33" if kind.vehicle and kind.move_type == "tracked" else "")


def ground_words(field: Battlefield, hex: str) -> str:
    """The ground of a hex in words: "woods, level 2", "stone building of 2 storeys, road"."""
    terrain = field.terrain[hex].replace("_", " ")
    storeys = field.building_level.get(hex, 1)
    if storeys > 1:
        terrain = f"{terrain} of level {storeys}"
    level = field.level[hex]
    return kit.ground_words(field, hex, terrain, *([f"level {level}"] if level != 1 else []))


def _values(stats: dict[str, Any]) -> str:
    """The figures of a counter in a line: Firepower-Range-Defense-Move, as people know them."""
    if "front" in stats:
        guns = stats.get("guns") or [{"he": 0}]
        return f"{guns[0]['he']} {stats['front']}/{stats['flank']} {stats['move']}"
    if "command range" in stats:
        return f"({stats['command range']})"
    if "move" not in stats:  # an aircraft has none
        return ""
    power = stats.get("firepower", stats["guns"][0]["he"] if "guns" in stats else 0)
    reach = stats.get("range", stats["guns"][0]["range"] if "guns" in stats else 0)
    return f"{power}-{reach}-{stats['defense']}-{stats['move']}"
