"""What a side sees: everything, for nothing is hidden in this game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from grognard.board.table import formations
from grognard.core.files import Document
from grognard.core.poses import place
from grognard.core.symbols import symbol_code
from grognard.core.view import MarkerView, ModelView, UnitView, View
from grognard.core.words import side_name
from grognard.games.company import cover, victory
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import FOLDER, charts
from grognard.games.company.roster import TeamType, UnitType
from grognard.games.company.state import (
    DEPLOY,
    INITIATIVE,
    OVER,
    START,
    TURN_END,
    Platoon,
    Team,
    everybody,
)
from grognard.kits.table import view as kit
from grognard.kits.table.state import EXITED, LOST, ON_TABLE, UNPLACED

#: What people call the phases.
TITLES = {
    DEPLOY: "Set-up",
    START: "Start of the turn",
    INITIATIVE: "Initiatives",
    TURN_END: "End of the turn",
    OVER: "The battle is over",
}
_SMOKE = "smoke"


def view(battle: CompanyBattle, side: str) -> View:
    """What a side may see, without question and log."""
    state = battle.state
    return View(
        game=FOLDER.name,
        scenario=battle.scenario.name,
        side=side,
        map=battle.scenario.table.name,
        turn=state.turn,
        phase=phase(battle),
        active=state.side,
        tracks=tracks(battle),
        units=[unit_view(battle, side, unit) for unit in battle.units(on_table=False) if shown(unit)],
        markers=list(markers(battle)),
    )


def phase(battle: CompanyBattle) -> str:
    """What the phase is called, with the side that has the Initiative."""
    state = battle.state
    return f"{side_name(state.side)} Initiative" if state.phase == INITIATIVE else TITLES[state.phase]


def shown(unit: Platoon) -> bool:
    """Whether a view lists a Unit: those that are lost or gone are not."""
    return unit.status not in (LOST, EXITED)


def tracks(battle: CompanyBattle) -> dict[str, dict[str, Any]]:
    """The turn, whose Initiative it is, who has yet to act, points, losses, and who holds which objective."""
    state, sides = battle.state, battle.sides
    found: dict[str, dict[str, Any]] = {"Turn": {"turn": state.turn, "of": battle.scenario.turns}}
    if state.phase == INITIATIVE:
        found["Initiative"] = {side: state.initiative if side == state.side else "-" for side in sides}
        found["Ready"] = {side: sum(unit.acted < state.turn for unit in battle.platoons(side)) for side in sides}
    found["Points"] = dict(victory.score(battle))
    found["Losses"] = {side: f"{len(state.lost.get(side, ()))} of {battle.company(side).start}" for side in sides}
    if held := kit.held(battle, lambda objective: victory.holder(battle, objective)):
        found["Objectives"] = held
    return found


# ---- Units -------------------------------------------------------------------------------------------------


def unit_view(battle: CompanyBattle, side: str, unit: Platoon) -> UnitView:
    """A Unit with its Teams where they stand."""
    kind = battle.type(unit)
    stand = battle.bodies(unit)
    here = unit.status == ON_TABLE and bool(stand)
    marked = list(states(battle, unit))
    return UnitView(
        id=unit.id,
        side=unit.side,
        name=battle.name(unit),
        symbol=symbol(kind, unit.side == side),
        place=place(*battle.anchor(unit)) if here else "",
        facing=formations.facing(stand) if here else 0,
        with_unit=_with(battle, unit),
        states=tuple(state for state, _ in marked),
        stats=stats(battle, unit),
        short=f"{_symbols()['short'][look(kind)]} {_mark(battle, unit)}".rstrip(),
        values=f"{len(everybody(unit))}/{unit.size} {battle.training(unit).title}",
        badges=tuple(badge for _, badge in marked if badge),
        models=[team_view(battle, unit, team) for team in unit.models],
    )


def _mark(battle: CompanyBattle, unit: Platoon) -> str:
    """What tells a plate from others of its class: the Unit's id, or the number in its name for people."""
    if not battle.scenario.callings:
        return unit.id
    return battle.name(unit).casefold().rpartition(battle.title(unit).casefold())[2].strip()


def _with(battle: CompanyBattle, unit: Platoon) -> str:
    """The Unit that a commander has joined, "" for everybody else (14.12)."""
    company = battle.company(unit.side)
    return company.joined if unit.id == company.commander else ""


def states(battle: CompanyBattle, unit: Platoon) -> Iterator[tuple[str, str]]:
    """What there is to know of a Unit at a glance, in words, each with its badge; "" for none."""
    if unit.status == UNPLACED:
        yield "to be set up", ""
        return
    if joined := _with(battle, unit):
        yield f"with {battle.name(battle.unit(joined))}", ""
    if marks := sum(team.marks for team in everybody(unit)):
        yield f"{marks} suppression", f"{marks}S"
    if unit.down:
        yield "gone to ground", "GTG"
    if any(team.watch for team in unit.models):
        yield "on Overwatch", "OW"
    if unit.riders:
        yield f"{len(unit.riders)} mounted", f"+{len(unit.riders)}"
    if not unit.leader and not battle.is_commander(unit):
        yield "without a Leader", "NL"
    if battle.state.phase == INITIATIVE and unit.acted >= battle.state.turn > 0:
        yield "done", ""


def stats(battle: CompanyBattle, unit: Platoon) -> dict[str, Any]:
    """What a Unit is by rule, for its card."""
    kind, training = battle.type(unit), battle.training(unit)
    found: dict[str, Any] = {
        "training": training.title,
        "check": f"{training.check}+",
        "hit on": f"{training.to_hit}+",
        "Teams": f"{len(everybody(unit))} of {unit.size}",
    }
    types = [battle.team_type(team) for team in everybody(unit)]
    found["move"] = ", ".join(
        f"{type.capitalize()} {charts().distance('movement', type) / 100:g}"
        for type in dict.fromkeys(t.type for t in types)
    )
    if armour := {type.name: f"{type.armor}+" for type in types if type.armored}:
        found["armor"] = ", ".join(f"{name} {number}" for name, number in armour.items())
    if room := max((type.transport for type in types), default=0):
        found["carries"] = f"{room} Infantry or 1 Gun each"
    if rows := weapon_rows(types):
        found["weapons"] = rows
    found["points"] = kind.points
    return found


def weapon_rows(types: list[TeamType]) -> list[dict[str, Any]]:
    """The weapons of Teams, as rows of a small table."""
    counts: dict[str, int] = {}
    for type in types:
        for id in type.weapons:
            counts[id] = counts.get(id, 0) + 1
    rows = []
    for id, count in counts.items():
        weapon = charts().weapons[id]
        rows.append(
            {
                "weapon": weapon.title,
                "no.": count,
                "range": f"{weapon.range / 100:g}",
                "FP": weapon.fp,
                "AT": "AT" if weapon.at else "-",
                "HE": weapon.he_fp or "-",
                "barrage": weapon.barrage_fp or "-",
            }
        )
    # What tells nothing of any of them takes no room.
    dull = {column for column in ("AT", "HE", "barrage") if all(row[column] == "-" for row in rows)}
    return [{column: value for column, value in row.items() if column not in dull} for row in rows]


# ---- Teams -------------------------------------------------------------------------------------------------


def team_view(battle: CompanyBattle, unit: Platoon, team: Team) -> ModelView:
    """A Team with what it bears, its markers, and what else is to be known of it."""
    kind, table = battle.team_type(team), _symbols()
    marked = list(team_states(battle, unit, team))
    letters = [table["weapon"][id] for id in kind.weapons if id in table["weapon"]]
    bears = ", ".join(weapon.title for weapon in kind.arms) or "unarmed"
    return kit.model_view(
        team,
        kind.foot,
        short=table["leader"].get(kind.leader, "") or ("" if kind.tank else next(iter(letters), "")),
        title=f"{battle.team_name(unit, team)}: {bears}",
        turret=team.turret,
        look="stand"
        if kind.infantry
        else "gun"
        if kind.gun
        else "tank"
        if kind.turret or not kind.transport
        else "car",
        figures=table["figures"][kind.footprint],
        states=tuple(state for state, _ in marked),
        badges=tuple(badge for _, badge in marked if badge),
    )


def team_states(battle: CompanyBattle, unit: Platoon, team: Team) -> Iterator[tuple[str, str]]:
    """What there is to know of a Team, in words, those with a badge first."""
    if team.marks:
        yield "suppressed", "S" if team.marks == 1 else f"{team.marks}S"
    if team.watch:
        yield "overwatch", "OW"
    if team.id == unit.leader:
        yield "leader", "PL"
    load = [rider for rider in unit.riders if rider.aboard == team.id]
    if load:
        yield f"carries {', '.join(battle.team_name(unit, rider) for rider in load)}", f"+{len(load)}"
    if team.marks > 1:
        yield f"{team.marks} suppression markers", ""
    if cover.gone_to_ground(battle, unit, team):
        yield "gone to ground", ""
    for word, on in (("moved", team.moved), ("fired", team.fired), ("ran", team.ran)):
        if on:
            yield word, ""


# ---- what else lies on the table ---------------------------------------------------------------------------


def markers(battle: CompanyBattle) -> Iterator[MarkerView]:
    """The objectives and the smoke (16.4, 15.12)."""
    near = charts().distance("distances", "objective")
    yield from kit.objectives(battle, lambda objective: victory.holder(battle, objective), near)
    for cloud, square in zip(battle.state.clouds, battle.clouds()):
        text = f"Smoke until the end of turn {cloud.until}"
        side = square.side / 100
        yield MarkerView(_SMOKE, place(cloud.x, cloud.y), facing=cloud.heading, text=text, length=side, width=side)


# ---- symbols -----------------------------------------------------------------------------------------------


@cache
def _symbols() -> Any:
    return Document.read(FOLDER / "symbols.toml").data


def look(kind: UnitType) -> str:
    """The word under which a Unit is drawn: what most of it is."""
    types = kind.types
    if kind.commander or kind.role in ("recce", "tanks", "anti_tank"):
        return kind.role
    if kind.role == "artillery":
        return "rockets" if any(type.tank and type.howitzer for type in types) else "artillery"
    if kind.artillery:
        return "mortars"
    if any(type.transport for type in types):
        return "mounted"
    return "machine_guns" if any(type.gun for type in types) else "infantry"


def symbol(kind: UnitType, own: bool) -> str:
    """The NATO symbol code of a Unit, 20 digits; a side sees its own as friends, the enemy as hostile."""
    return symbol_code(_symbols()["look"][look(kind)], own)
