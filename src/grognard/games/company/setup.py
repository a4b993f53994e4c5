"""Setting up (16.3): the state in which a scenario opens, and placing the Units by turns."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Body
from grognard.board.table.places import exactly
from grognard.board.table.terrain import Piece
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.events import Told
from grognard.core.poses import Pose, read_pose
from grognard.games.company import ground
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import MEASURE, charts
from grognard.games.company.roster import UnitType, leader_of, muster, roster, team_types
from grognard.games.company.scenario import Placing, Scenario
from grognard.games.company.state import CC, FO, START, Company, Platoon, State, Team, everybody
from grognard.kits.table import cohesion
from grognard.kits.table.deployment import DeployArea
from grognard.kits.table.setup_rules import BASE, SetupRules
from grognard.kits.table.state import EXITED, ON_TABLE
from grognard.kits.table.turn import by_turns, waiting, who_is_first


class DeploysFirst(Told, frozen=True, kw_only=True):
    """The {side} player sets up first.

    The lower roll places the first Unit.
    """


class Placed(Told, frozen=True, kw_only=True):
    """{unit} sets up {place}."""

    unit: str
    place: str


class Mounted(Told, frozen=True, kw_only=True):
    """{unit} sets up mounted."""

    unit: str


class StaysAway(Told, frozen=True, kw_only=True):
    """{unit} finds no room in its zone and takes no part."""

    unit: str


# ---- the opening state -----------------------------------------------------------------------------------


def begin(scenario: Scenario) -> State:
    """The state in which a scenario opens: nobody has moved or fired, so that all are Gone to Ground (16.3, 6.27)."""
    kinds = roster()
    units = {placing.id: _fresh(placing, kinds[placing.kind]) for placing in scenario.units}
    companies = {}
    for side in scenario.sides:
        own = [unit for unit in units.values() if unit.side == side]
        commander = next((unit.id for unit in own if kinds[unit.kind].commander), "")
        companies[side] = Company(start=len(own) - bool(commander), commander=commander)
    return State(units=units, companies=companies, lost={side: [] for side in scenario.sides})


def _fresh(placing: Placing, kind: UnitType) -> Platoon:
    teams = muster(list(placing.teams) or kind.kinds, placing.heading)
    unit = Platoon(
        id=placing.id,
        n=placing.n,
        kind=kind.id,
        side=placing.side,
        models=teams,
        size=len(teams),
        training=placing.training or kind.training,
        leader=leader_of(teams),
    )
    if placing.at is not None:
        known, gap = team_types(), charts().distance("distances", "spacing")
        stand = [Body(0, 0, placing.heading, known[team.kind].foot) for team in teams]
        _stand(unit, formations.lay_out(formations.LINE, stand, *placing.at, placing.heading, gap))
    if placing.mounted:
        mount_all(unit)
    return unit


def _stand(unit: Platoon, places: Sequence[tuple[int, int]]) -> None:
    """Put a Unit's Teams where they are to stand."""
    for team, (x, y) in zip(unit.models, places):
        team.x, team.y = x, y
    unit.status = ON_TABLE


def can_mount(unit: Platoon) -> bool:
    """Whether a Unit has transports and Teams to ride in or behind them (16.1)."""
    return bool(loads(unit.models))


def mount_all(unit: Platoon) -> None:
    """Every Team that finds room begins in or behind a vehicle of its Unit, the guns first (16.1)."""
    riding = {rider: carrier for carrier, riders in loads(unit.models).items() for rider in riders}
    here = {team.id: team for team in unit.models}
    for id, carrier in riding.items():
        team, vehicle = here[id], here[carrier]
        team.aboard, team.x, team.y, team.heading = carrier, vehicle.x, vehicle.y, vehicle.heading
        unit.riders.append(team)
    unit.models = [team for team in unit.models if team.id not in riding]


def loads(teams: Sequence[Team]) -> dict[str, list[str]]:
    """Who would ride with whom: a gun behind each vehicle while there are guns, then the others by their order."""
    known = team_types()
    room = {team.id: known[team.kind].transport for team in teams if known[team.kind].transport}
    guns = [team.id for team in teams if known[team.kind].gun]
    found: dict[str, list[str]] = {}
    for carrier in list(room):
        if guns:
            found[carrier] = [guns.pop(0)]
            del room[carrier]
    for team in teams:
        if known[team.kind].infantry and room:
            carrier = next(iter(room))
            found.setdefault(carrier, []).append(team.id)
            if len(found[carrier]) == room[carrier]:
                del room[carrier]
    return found


# ---- placing by turns (16.3) -----------------------------------------------------------------------------

#: The steps of the phase after the roll: choosing a Unit; a higher step is that of placing Unit number step - PLACE.
CHOOSE, PLACE = 1, 1


def deploy(battle: CompanyBattle) -> Procedure[str]:
    """The lower roller places a Unit, then the other side, and so on until all are placed, the commanders too."""
    yield from by_turns(battle, _who_is_first, _place_one)
    battle.state.step, battle.state.turn = 0, 1
    return START


def _who_is_first(battle: CompanyBattle) -> None:
    """The lower roll begins."""
    battle.state.side = battle.state.first = side = who_is_first(battle, "set-up", "16.3")
    battle.emit(DeploysFirst(side=side, rules=("16.3",)))


def _place_one(battle: CompanyBattle, side: str) -> Procedure[None]:
    """One Unit of a side is chosen, on foot or mounted, and placed."""
    state = battle.state
    if state.step == CHOOSE:
        units = waiting(battle, side)
        id, mounted = units[0].id, False
        if len(units) > 1 or can_mount(units[0]):
            answer = yield Ask(
                side, "Which Unit do you set up?", lambda: _choices(battle, units), quiet=True, rule="16.3"
            )
            verb, id = answer.split()
            mounted = verb == "mounted"
        unit = battle.unit(id)
        if mounted:
            mount_all(unit)
            battle.invalidate()
            battle.emit(Mounted(side=side, unit=id, rules=("16.1",)))
        state.step = PLACE + unit.n
    unit = next(unit for unit in battle.units(side, on_table=False) if unit.n == state.step - PLACE)
    area = area_of(battle, unit)
    options = area.options()  # listed once: whether there is any room has to be known before the question
    if not options:
        unit.status = EXITED
        battle.company(side).start -= not battle.is_commander(unit)
        battle.emit(StaysAway(side=side, unit=unit.id, rules=("16.3",)))
    else:
        prompt = f"Set up {battle.name(unit)}"
        answer = yield Ask(side, prompt, options, quiet=True, rule="16.3", area=lambda: area)
        read = read_pose(answer)
        assert read is not None
        put(battle, unit, area, read[1])
    battle.invalidate()
    state.step = CHOOSE


def _choices(battle: CompanyBattle, units: Sequence[Platoon]) -> list[Option]:
    found = []
    for unit in units:
        found.append(Option(f"unit {unit.id}", battle.name(unit), "place", unit.id, rule="16.3"))
        if can_mount(unit):
            text = f"{battle.name(unit)}, mounted"
            found.append(Option(f"mounted {unit.id}", text, "mounted", unit.id, rule="16.1"))
    return found


def area_of(battle: CompanyBattle, unit: Platoon) -> DeployArea:
    """Where a Unit may be set up: anywhere in its zone."""
    placing = battle.scenario.placing(unit.id)
    return DeployArea(Deployment(battle), unit, battle.scenario.zone(placing) if placing is not None else None)


def put(battle: CompanyBattle, unit: Platoon, area: DeployArea, pose: Pose) -> None:
    """Set a Unit up as a pose says, hulls and turrets too."""
    turrets = {hand.id: hand.turret for hand in pose.by_hand}
    _stand(unit, [(body.x, body.y) for body in area.stand(pose)])
    for team, body in zip(unit.models, area.stand(pose)):
        team.heading = body.heading
        if battle.team_type(team).turret:
            own = turrets.get(team.id, -1)
            team.turret = own if own >= 0 else body.heading
    carriers = {team.id: team for team in unit.models}
    for rider in unit.riders:
        vehicle = carriers[rider.aboard]
        rider.x, rider.y, rider.heading = vehicle.x, vehicle.y, vehicle.heading
    battle.emit(Placed(side=unit.side, unit=unit.id, place=pose.place, rules=("16.3",)))


class Deployment(SetupRules[CompanyBattle, Platoon]):
    """What the kit's areas of setting up are told of this game."""

    rule: ClassVar[str] = "16.3"
    outside: ClassVar[Bar] = Bar("16.3", "a Unit must set up inside its zone")
    off_table: ClassVar[Bar] = Bar("16.3", "it would stand off the table")
    no_room: ClassVar[Bar] = Bar("4.7", "there isn't room")
    turns: ClassVar[bool] = True

    def apart(self, unit: Platoon, other: Platoon) -> float:
        """Friends may touch, but not stand on each other (4.7); nobody stands within 2 inches of an enemy (4.8)."""
        enemies = unit.side != other.side
        return self.battle.charts.distance("distances", "enemy_gap") - bodies.HAIR if enemies else 0.0

    @property
    def spacing(self) -> int:
        """How far apart Teams stand in a form."""
        return self.battle.charts.distance("distances", "spacing")

    @property
    def at_hand(self) -> float:
        """How near to a wall a Team touches it (10.5)."""
        return self.battle.charts.distance("distances", "touching")

    def closed(self, unit: Platoon, model: Team, piece: Piece) -> str:
        """No gun where guns cannot go, and no vehicle where none can (4.3, 4.4)."""
        return BASE if self._bar(model, piece) else ""

    def why_closed(self, unit: Platoon, model: Team, piece: Piece) -> Bar:
        """Why ground is closed to a Team."""
        return self._bar(model, piece) or self.no_room

    def _bar(self, model: Team, piece: Piece) -> Bar | None:
        return ground.bar_closed(self.battle, piece, ground.column(self.battle, model))

    def ground_key(self, unit: Platoon, model: Team) -> Hashable:
        """The type of a Team."""
        return "company", ground.column(self.battle, model)

    def too_near(self, unit: Platoon, other: Platoon) -> Bar:
        """Where another Unit stands (4.7), or within 2 inches of an enemy (4.8)."""
        name = self.battle.name(other)
        if other.side != unit.side:
            return Bar("4.8", "it would stand within 2″ of an enemy", name)
        return Bar("4.7", "another Unit stands there", name)

    def names(self, unit: Platoon) -> list[str]:
        """A line, a cluster or a column."""
        single = len(unit.models) == 1
        return [formations.AS_THEY_STAND] if single else [formations.LINE, formations.CLUSTER, formations.COLUMN]

    def bar_layout(self, unit: Platoon, stand: Sequence[Body]) -> Bar | None:
        """Nobody stands in another, and everybody in cohesion with the Leader, observers apart (4.7, 5.1, 5.4)."""
        if not formations.clear(stand):
            return Bar("4.7", "its bases would overlap")
        battle, far = self.battle, self.battle.charts.distance("cohesion", "distance")
        kept = [n for n, team in enumerate(unit.models) if battle.team_type(team).leader not in (CC, FO)]
        leader = _stands_with(unit, [unit.models[n] for n in kept])
        if leader is None:
            return None
        held = cohesion.led([stand[n] for n in kept], leader, far, by=battle.charts.number("cohesion", "links"))
        astray = [battle.team_name(unit, unit.models[n]) for n, near in zip(kept, held) if not near]
        told = f"it would be farther than {exactly(far, MEASURE)} from its Leader and from those who are with him"
        return Bar("5.1", told, astray[0]) if astray else None


def _stands_with(unit: Platoon, teams: Sequence[Team]) -> int | None:
    """The number of the Team that is its Leader, or that carries him."""
    leader = next((team for team in everybody(unit) if team.id == unit.leader), None)
    if leader is None:
        return None
    return next((n for n, team in enumerate(teams) if team.id == (leader.aboard or leader.id)), None)
