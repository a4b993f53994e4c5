"""Setting up (28.6, 28.2): the state in which a scenario opens, and deployment, one unit after the other."""

from __future__ import annotations

from grognard.board.table.places import the
from grognard.core.ask import Ask, Option, Procedure
from grognard.core.poses import Pose, place, read_pose
from grognard.games.bolt_action import buildings, deployment, transports, turn_events
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.deployment import Deployment
from grognard.games.bolt_action.roster import UnitType, line_up, muster, roster, size
from grognard.games.bolt_action.scenario import Placing, Scenario
from grognard.games.bolt_action.state import DEPLOY, START, Model, State, Unit
from grognard.kits.table.deployment import DeployArea
from grognard.kits.table.state import ABOARD, ON_TABLE, RESERVE, UNPLACED
from grognard.kits.table.turn import by_turns, waiting, who_is_first

#: More men than this stand in two ranks when a scenario places them itself.
ABREAST = 6


# ---- the opening state (28.2, 7.5) -------------------------------------------------------------------


def begin(scenario: Scenario) -> State:
    """The state in which a scenario opens: without pins and without dice (28.6)."""
    kinds = {**roster(), **scenario.types}
    units = {placing.id: _fresh(placing, kinds[placing.kind]) for placing in scenario.units}
    for unit in units.values():
        if unit.aboard and unit.aboard in units:
            _sit(unit, units[unit.aboard])
    sides = scenario.sides
    return State(
        units=units,
        phase=DEPLOY,
        cup=dict.fromkeys(sides, 0),
        aside=dict.fromkeys(sides, 0),
        lost={side: [] for side in sides},
        last_turn=scenario.turns,
    )


def _fresh(placing: Placing, kind: UnitType) -> Unit:
    models = muster(kind)
    status = UNPLACED
    if placing.aboard:
        status = ABOARD
    elif placing.at is not None:
        status = ON_TABLE
        line_up(kind, models, *placing.at, placing.heading, 2 if len(models) > ABREAST else 1)
    elif placing.turn or placing.edge:
        status = RESERVE
    return Unit(
        id=placing.id,
        n=placing.n,
        kind=kind.id,
        side=placing.side,
        quality=placing.quality or kind.quality,
        models=models,
        size=size(kind),
        status=status,
        aboard=placing.aboard,
        green="green" in kind.special,
    )


def _sit(unit: Unit, vehicle: Unit) -> None:
    """Whoever is aboard is where the vehicle is."""
    hull: Model = vehicle.models[0]
    for model in unit.models:
        model.x, model.y, model.heading = hull.x, hull.y, hull.heading


# ---- deployment (28.6, D15) --------------------------------------------------------------------------


def deploy(battle: BoltBattle) -> Procedure[str]:
    """The lower roller places a unit, then the other side, and so on until all are placed (28.6)."""
    yield from by_turns(battle, _who_is_first, _place_one)
    battle.state.turn = max(battle.state.turn, 1)
    return START


def _who_is_first(battle: BoltBattle) -> None:
    """The lower roll begins (28.6)."""
    battle.state.side = side = who_is_first(battle, "deployment", "28.6")
    battle.emit(turn_events.DeploysFirst(side=side, rules=("28.6",)))


def _place_one(battle: BoltBattle, side: str) -> Procedure[None]:
    """One unit of a side is chosen and placed (28.6)."""
    scratch = battle.state.scratch
    if not scratch.placing:
        units = waiting(battle, side)
        id = units[0].id
        if len(units) > 1:
            options = [Option(f"unit {u.id}", battle.name(u), "place", u.id, rule="28.6") for u in units]
            answer = yield Ask(side, "Which unit do you place?", options, quiet=True, rule="28.6")
            id = answer.split()[1]
        scratch.placing = id
    unit = battle.unit(scratch.placing)
    placing = battle.scenario.placing(unit.id)
    zone = battle.scenario.zone(placing) if placing is not None else None
    area = DeployArea(Deployment(battle), unit, zone)
    # Listed once: whether there is any room has to be known before the question.
    options = [*area.options(), *_aboard_options(battle, unit), *_building_options(battle, unit, area)]
    if not options:
        unit.status = RESERVE
        battle.emit(turn_events.Deployed(side=side, unit=unit.id, waits=True, rules=("28.6",)))
    else:
        prompt = f"Place {battle.name(unit)}"
        answer = yield Ask(side, prompt, options, quiet=True, rule="28.6", area=lambda: area)
        _put(battle, unit, area, answer)
    scratch.placing = ""
    battle.invalidate()


def _put(battle: BoltBattle, unit: Unit, area: DeployArea, answer: str) -> None:
    """Place a unit where the answer says."""
    verb, *words = answer.split()
    where, piece, aboard = "", "", ""
    if verb == "aboard":
        aboard = words[0]
        transports.put_aboard(battle, unit, battle.unit(aboard))
    elif verb == "building":
        unit.status = ON_TABLE
        buildings.occupy(battle, unit, words[0])
        unit.dug_in = battle.type(unit).artillery
        piece = words[0]
    else:
        read = read_pose(answer)
        assert read is not None
        _stand(battle, unit, area, read[1])
        where = place(read[1].x, read[1].y)
    battle.emit(
        turn_events.Deployed(side=unit.side, unit=unit.id, place=where, piece=piece, aboard=aboard, rules=("28.6",))
    )


def _stand(battle: BoltBattle, unit: Unit, area: DeployArea, pose: Pose) -> None:
    """Set the models up as the pose says; a gun in rough ground is dug in (9.2, 9.7)."""
    stand = area.stand(pose)
    for model, body in zip(unit.models, stand):
        model.x, model.y, model.heading = body.x, body.y, pose.heading
    unit.status = ON_TABLE
    unit.dug_in = battle.type(unit).artillery and deployment.rough_under(battle, stand)
    for rider in battle.units(unit.side, on_table=False):
        if rider.aboard == unit.id:
            _sit(rider, unit)


def _aboard_options(battle: BoltBattle, unit: Unit) -> list[Option]:
    """The vehicles of its side, already placed, that the unit may begin in or behind (24.1)."""
    if battle.type(unit).vehicle:
        return []
    return [
        Option(f"aboard {v.id}", f"Begin aboard {battle.name(v)}", "aboard", unit.id, target=v.id, rule="24.1")
        for v in battle.units(unit.side)
        if battle.type(v).transport and transports.bar_aboard(battle, unit, v) is None
    ]


def _building_options(battle: BoltBattle, unit: Unit, area: DeployArea) -> list[Option]:
    """The buildings of its zone that the unit may begin in (25.1, 9.4)."""
    if battle.type(unit).vehicle:
        return []
    table = battle.table
    found = []
    for piece in table.pieces:
        if table.kind(piece).ground != "building" or not area.zone.covers(table.area(piece)):
            continue
        if buildings.bar_occupy(battle, unit, piece.id) is None:
            middle = table.area(piece).centroid
            where = place(round(middle.x), round(middle.y))
            label = f"In {the(table, piece)}"
            found.append(Option(f"building {piece.id}", label, "building", unit.id, where, rule="25.1"))
    return found
