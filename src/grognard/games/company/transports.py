"""Transport and towing (16.1, 16.2): what a vehicle of a Unit carries, and where Teams get in and are set down."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.footing import Footing
from grognard.board.table.places import exactly
from grognard.board.table.ways import Path, Placed, Ways
from grognard.core.ask import Bar
from grognard.games.company import ground
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import MEASURE, charts
from grognard.games.company.ground import Floats, Going
from grognard.games.company.roster import INFANTRY
from grognard.games.company.state import CC, Platoon, Team
from grognard.games.company.team_area import TeamArea
from grognard.kits.table import riding
from grognard.kits.table.ground import footing_for

#: Whoever is set down looks for room in so many directions, and turned so many ways.
AROUND, TURNS = 24, (0, 90, 45, 135)
HAS_MOVED = Bar("16.1", "a vehicle that moves in this activation can't be mounted or left")


def load(unit: Platoon, vehicle: Team) -> list[Team]:
    """Who rides in a vehicle or hangs behind it."""
    return [rider for rider in unit.riders if rider.aboard == vehicle.id]


def bar_aboard(battle: CompanyBattle, unit: Platoon, team: Team, vehicle: Team) -> Bar | None:
    """Why a Team cannot ride in a vehicle of its Unit, or be towed by it (16.1)."""
    kind, carrier = battle.team_type(team), battle.team_type(vehicle)
    name = battle.team_name(unit, vehicle)
    if not carrier.transport:
        return Bar("16.1", "it carries nobody", name)
    if kind.tank or kind.leader == CC:
        return Bar("16.1", "only Infantry and Gun Teams of its own Unit ride", name)
    aboard = load(unit, vehicle)
    if any(battle.team_type(rider).gun for rider in aboard):
        return Bar("16.1", "it is already towing a gun", name)
    if len(aboard) >= (1 if kind.gun else carrier.transport) or (kind.gun and aboard):
        return Bar("16.1", "it is full", name)
    return None


# ---- getting in ----------------------------------------------------------------------------------------------


def way_in(battle: CompanyBattle, unit: Platoon, ways: Ways, number: int, vehicle: Team) -> Path | None:
    """The way of a Team to within 2 inches of a vehicle; None if it is too far."""
    body, hull = battle.bodies(unit)[number], battle.body(unit, vehicle)
    near = charts().distance("distances", "mount")
    if bodies.gap(body, hull) <= near + bodies.HAIR:
        return [(body.x, body.y)] * 2
    return riding.way_to_hull(ways, number, hull, body, near, narrow=True)


def put_aboard(battle: CompanyBattle, unit: Platoon, team: Team, vehicle: Team) -> None:
    """A Team rides in a vehicle of its Unit, or is hitched to it."""
    unit.models.remove(team)
    team.aboard, team.moved, team.watch = vehicle.id, True, False
    team.x, team.y, team.heading = vehicle.x, vehicle.y, vehicle.heading
    unit.riders.append(team)
    battle.invalidate()


def take_out(battle: CompanyBattle, unit: Platoon, team: Team) -> None:
    """A Team stands on the table again."""
    unit.riders.remove(team)
    team.aboard = ""
    unit.models.append(team)
    unit.models.sort(key=lambda one: (battle.team_type(one).leader == CC, len(one.id), one.id))
    battle.invalidate()


# ---- getting out ---------------------------------------------------------------------------------------------


def area_out(
    battle: CompanyBattle, unit: Platoon, riders: list[Team], vehicle: Team, gone: Collection[str]
) -> TeamArea:
    """Where riders may be set down when they get out: within 2 inches of their vehicle."""
    teams, hull, far = [*riders, *unit.models], battle.body(unit, vehicle), charts().distance("distances", "mount")
    stand = [battle.body(unit, rider) for rider in riders] + battle.bodies(unit)

    def over(radius: float, starts: Floats, reach: float) -> Footing:
        return footing_for(Going(battle, INFANTRY), unit, starts, radius, reach, placed=True)

    outside = Bar("16.1", f"Teams get out within {exactly(far, MEASURE)} of their vehicle")
    ways: Placed = riding.ways_off(stand[: len(riders)], hull, far, over, outside, narrow=True)

    rooms = ground.room(battle, unit, teams=teams)
    return TeamArea(
        battle,
        unit,
        teams,
        stand,
        range(len(riders)),
        ways,
        rooms,
        gone=gone,
        rule="16.1",
        label=f"{battle.name(unit)}: get out there",
    )


def set_down(battle: CompanyBattle, unit: Platoon, hull: Body, team: Team) -> bool:
    """Put a rider whose vehicle is gone on the table within 2 inches of where it was (16.2); False without room.

    He stands as near to its middle as there is room for him.
    """
    (standing,) = ground.room(battle, unit, teams=[team])
    foot, near = battle.foot(unit, team), charts().distance("distances", "mount")
    mine = battle.bodies(unit)
    for turn in TURNS:
        heading = (hull.heading + turn) % 360
        for out in (0, near / 2, near):
            rim = bodies.shape(hull, out) if out else None
            spots = [(hull.x, hull.y)]
            if rim is not None:
                points = [rim.exterior.interpolate(i / AROUND, normalized=True) for i in range(AROUND)]
                spots = [(round(point.x), round(point.y)) for point in points]
            for x, y in spots:
                body = Body(x, y, heading, foot)
                free = standing.has_room(foot, heading, np.array([x], float), np.array([y], float))[0]
                free = free and not bodies.overlaps(body, mine)
                if free and bodies.gap(body, hull) <= near + bodies.HAIR:
                    team.x, team.y, team.heading = x, y, heading
                    take_out(battle, unit, team)
                    return True
    return False
