"""Moving (4, 5, 16.1, 16.6): where those of a Unit go who move, together or one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import shapely
from msgspec.structs import replace
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Body
from grognard.board.table.places import exactly
from grognard.board.table.ways import Path
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.poses import Pose, place, read_pose
from grognard.games.company import cohesion, ground, leaders, reactions, terrain_checks, transports
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import MEASURE, charts
from grognard.games.company.move_events import Dismounted, LeftTable, Mounted
from grognard.games.company.state import CC, Platoon, Team
from grognard.games.company.team_area import TeamArea
from grognard.games.company.travel import go_paths
from grognard.kits.table import good_poses, moving
from grognard.kits.table.riding import places_about
from grognard.kits.table.state import EXITED, LOST

#: The rule by which Teams move, by how they do.
RULES = {"move": "3.12", "run": "3.8"}
#: With fewer good poses than this, more are looked for.
FEW = 4
#: Who goes back into cohesion ends so far inside it, in hundredths: the first at which he has room.
INWARD = (0, 1, 2, 4, 8, 16, 40, 100, 300)


class Trip:
    """The moves of one activation: who has made his, and which vehicles may not move because Teams got in or out."""

    def __init__(self) -> None:
        self.gone: set[str] = set()
        self.parked: set[str] = set()


# ---- areas ---------------------------------------------------------------------------------------------------


def area_of(battle: CompanyBattle, unit: Platoon, party: Sequence[int], moves: int, gone: frozenset[str]) -> TeamArea:
    """The poses that those who go can take, by number, in one move or in two (3.8)."""
    key = ("area", unit.id, tuple(party), moves, gone)
    found: TeamArea | None = battle.cache.get(key)
    if found is None:
        fars = [float(ground.rate(battle, team, moves)) for team in unit.models]
        found = battle.cache[key] = _area(battle, unit, party, fars, gone)
    return found


def _area(
    battle: CompanyBattle,
    unit: Platoon,
    party: Sequence[int],
    fars: Sequence[float],
    gone: frozenset[str],
    helpers: Sequence[Body] = (),
    *,
    tied: bool = True,
) -> TeamArea:
    reach = charts().distance("leaders", "reach")

    def by_helper(base: Mapping[int, Body]) -> BaseGeometry:
        spots = [
            affinity.translate(bodies.sum_of(helper, body.at(0, 0), reach), -body.x, -body.y)
            for helper in helpers
            for body in base.values()
        ]
        return shapely.union_all(spots)

    legs = {team.id: float(ground.rate(battle, team)) for team in unit.models}
    most = max(fars[number] for number in party)
    return TeamArea(
        battle,
        unit,
        unit.models,
        battle.bodies(unit),
        party,
        ground.ways_of(battle, unit, party, fars),
        ground.room(battle, unit, far=most),
        gone=gone,
        tied=tied,
        rule="14.3" if helpers else "4.1",
        more=by_helper if helpers else None,
        outside=Bar("14.3", f"it would not end within {exactly(reach, MEASURE)} of whoever hurries it")
        if helpers
        else None,
        told=lambda paths: terrain_checks.told(battle, unit, paths, legs),
        remarks=lambda stand: list(remarks(battle, unit, stand)),
    )


def remarks(battle: CompanyBattle, unit: Platoon, stand: Sequence[Body]) -> Iterator[str]:
    """Who stands near enough to fire at whoever ends a move so, Overwatch apart (7.1)."""
    far = charts().distance("reaction", "distance")
    for foe in battle.enemies(unit.side):
        gap = float(bodies.gaps(battle.bodies(foe), stand).min())
        if gap <= far + bodies.HAIR:
            yield f"{exactly(round(gap), MEASURE)} from {battle.name(foe)}, which may fire at it"


def bar_pose(battle: CompanyBattle, unit: Platoon, moves: int, pose: Pose) -> Bar | None:
    """Why a whole Unit may not take a pose."""
    return area_of(battle, unit, range(len(unit.models)), moves, frozenset()).bar(pose)


# ---- the question --------------------------------------------------------------------------------------------


def move_teams(
    battle: CompanyBattle, unit: Platoon, ids: Sequence[str], *, how: str = "move", trip: Trip | None = None
) -> Procedure[None]:
    """Ask where Teams of a Unit go that move together, and go there; whoever is out of cohesion goes back into it."""
    trip = trip or Trip()
    moves = 2 if how == "run" else 1
    left, landed, tried = list(ids), list[str](), set[str]()
    while unit.status != LOST:
        party = _party(battle, unit, left, trip)
        answer = yield from _ask(battle, unit, left, party, moves, how, trip, tried)
        if answer is None or answer == "stay":
            break
        if isinstance(answer, Pose):
            yield from _go(battle, unit, party, answer, moves, how, trip)
            break
        verb, *words = answer.split()
        if verb == "exit":
            yield from leave_table(battle, unit, words[0], moves)
            return
        if verb == "hurry":
            tried.add(words[0])
            yield from _hurry(battle, unit, left, words[0], moves, trip)
        elif verb == "mount":
            yield from _mount(battle, unit, left, words, moves, trip)
        elif verb == "dismount":
            landed += yield from _dismount(battle, unit, left, words[0], trip)
            tried.add(answer)
    yield from _rejoin(battle, unit, left, moves, how, trip)
    if landed and moves > 1:  # to get out was the first of their two moves
        yield from move_teams(battle, unit, landed, trip=trip)


def _going(unit: Platoon, ids: Sequence[str], trip: Trip) -> list[int]:
    """By number, those of some Teams who can move: on the table, and no vehicle that has been mounted or left."""
    return [n for n, team in enumerate(unit.models) if team.id in ids and team.id not in trip.parked]


def _party(battle: CompanyBattle, unit: Platoon, ids: Sequence[str], trip: Trip) -> list[int]:
    """By number, those of them who go where they like, for they are in cohesion (5.3)."""
    going = _going(unit, ids, trip)
    ties = cohesion.Ties(battle, unit, unit.models, battle.bodies(unit), going)
    return [number for number in going if ties.before[number] or not ties.duty[number]]


def _ask(
    battle: CompanyBattle,
    unit: Platoon,
    ids: Sequence[str],
    party: Sequence[int],
    moves: int,
    how: str,
    trip: Trip,
    tried: set[str],
) -> Procedure[Pose | str | None]:
    """Where those go who may go where they like; None where nobody has a choice."""
    gone, going = frozenset(trip.gone), _going(unit, ids, trip)

    def others() -> Iterator[Option]:
        yield from _hurries(battle, unit, going, moves, tried)
        yield from _mounts(battle, unit, going, moves, trip)
        leaving = [rider for rider in unit.riders if rider.id in ids and _may_leave(rider, trip, tried)]
        for id in dict.fromkeys(rider.aboard for rider in leaving):
            name = battle.team_name(unit, battle.team(unit, id))
            yield Option(f"dismount {id}", f"Get out of {name}", "dismount", unit.id, rule="16.1", model=id)

    def options() -> Iterator[Option]:
        yield Option("stay", "Stay there" if party else "Nothing of the kind", "stay", unit.id, rule="3.16")
        if party:
            yield from _good_poses(battle, unit, area_of(battle, unit, party, moves, gone), party)
            for edge in exits(battle, unit, party, moves):
                yield Option(f"exit {edge}", f"Leave the table over its {edge} edge", "exit", unit.id, rule="16.6")
        yield from others()

    if not party and not any(others()):
        return None

    far = max((ground.rate(battle, unit.models[n], moves) for n in party), default=0)
    some_of = [unit.models[number] for number in party]
    who = f" ({battle.teams_named(unit, some_of)})" if len(some_of) < len(unit.models) else ""
    prompt = f"{battle.name(unit)}{who}: {how} where, up to {exactly(far, MEASURE)}?"
    return (
        yield from moving.ask_pose(
            unit.side,
            prompt if party else f"{battle.name(unit)}: in or out?",
            lambda: list(options()),
            (lambda: area_of(battle, unit, party, moves, gone)) if party else None,
            rule=RULES[how],
        )
    )


def _good_poses(battle: CompanyBattle, unit: Platoon, area: TeamArea, party: Sequence[int]) -> Iterator[Option]:
    """A few poses worth choosing; where those who look at the enemy have no room, others that look as they do now."""
    start = None if len(party) == len(unit.models) else formations.anchor([area.known[n] for n in party])
    wishes = good_poses.Wishes(start=start)
    found = {option.key: option for option in good_poses.good_poses(battle, unit, area, wishes)}
    if len(found) < FEW:
        wishes = wishes._replace(heading=area.start.heading)
        found |= {option.key: option for option in good_poses.good_poses(battle, unit, area, wishes)}
    yield from (_of_all(battle, unit, area, option) for option in found.values())


def _of_all(battle: CompanyBattle, unit: Platoon, area: TeamArea, option: Option) -> Option:
    """A pose with the place where the Unit will be: its middle, those who stay counted and a guest left out."""
    read = read_pose(option.key)
    if read is None:
        return option
    stand = area.stand(read[1], area.ends(read[1]))
    return replace(option, place=place(*battle.middle(unit, stand)))


def _go(
    battle: CompanyBattle, unit: Platoon, party: Sequence[int], pose: Pose, moves: int, how: str, trip: Trip
) -> Procedure[None]:
    area = area_of(battle, unit, party, moves, frozenset(trip.gone))
    yield from _take(battle, unit, area, pose, how, trip)


def _take(
    battle: CompanyBattle, unit: Platoon, area: TeamArea, pose: Pose, how: str, trip: Trip, rule: str = ""
) -> Procedure[None]:
    """Take a pose of an area, with whoever fires at it on the way."""
    paths, headings = moving.course_to(area, pose)
    turrets = area.turrets(pose)
    trip.gone |= set(paths)
    yield from _walk(battle, unit, paths, headings, turrets, how, (rule or RULES.get(how, "3.12"), "4.1"))


def _walk(
    battle: CompanyBattle,
    unit: Platoon,
    paths: Mapping[str, Path],
    headings: Mapping[str, int],
    turrets: Mapping[str, int],
    how: str,
    rules: tuple[str, ...],
) -> Procedure[None]:
    party = [number for number, team in enumerate(unit.models) if team.id in paths]
    yield from go_paths(
        battle,
        unit,
        paths,
        headings,
        watch=reactions.watch(battle, unit, party),
        how=how,
        rules=rules,
        turrets=turrets,
        leg={team.id: float(ground.rate(battle, team)) for team in unit.models},
    )


# ---- hurried (14.3) ------------------------------------------------------------------------------------------


def _helpers(battle: CompanyBattle, unit: Platoon, number: int) -> list[Body]:
    """The bases of those who could hurry a Team; nobody hurries himself."""
    me = battle.bodies(unit)[number]
    return [helper.body for helper in leaders.hurriers(battle, unit) if helper.body != me]


def _hurries(
    battle: CompanyBattle, unit: Platoon, party: Sequence[int], moves: int, tried: set[str]
) -> Iterator[Option]:
    """The Teams that could move 4 inches more to end by a helper, which they could not reach without."""
    reach, more = charts().distance("leaders", "reach"), charts().distance("leaders", "extra_move")
    for number in party:
        team, body = unit.models[number], battle.bodies(unit)[number]
        far = ground.rate(battle, team, moves)
        gaps = [bodies.gap(body, helper) - reach for helper in _helpers(battle, unit, number)]
        if team.id not in tried and any(0 < gap <= far + more for gap in gaps):
            label = f"Hurry {battle.team_name(unit, team)} to its Leader: {exactly(more, MEASURE)} more"
            yield Option(f"hurry {team.id}", label, "hurry", unit.id, rule="14.3", model=team.id)


def _hurry(battle: CompanyBattle, unit: Platoon, left: list[str], id: str, moves: int, trip: Trip) -> Procedure[None]:
    """Ask where a Team ends that is hurried, and go there. It is taken from those who are left to move."""
    (number,) = (n for n, team in enumerate(unit.models) if team.id == id)
    fars = [float(ground.rate(battle, team, moves)) for team in unit.models]
    fars[number] += charts().distance("leaders", "extra_move")
    area = _area(battle, unit, [number], fars, frozenset(trip.gone), _helpers(battle, unit, number))
    stay = Option("stay", "Leave it", "stay", unit.id, rule="14.3")
    name = battle.team_name(unit, unit.models[number])
    answer = yield from moving.ask_pose(
        unit.side,
        f"{battle.name(unit)}: {name} hurries where, up to {exactly(fars[number], MEASURE)}?",
        lambda: [stay, *good_poses.inside(area, battle.table)],
        lambda: area,
        rule="14.3",
    )
    if not isinstance(answer, Pose):
        return
    left.remove(id)
    yield from _take(battle, unit, area, answer, "run" if moves > 1 else "hurry", trip, "14.3")
    team = next((team for team in unit.models if team.id == id), None)
    if team is not None and any(leaders.within(battle, each, unit, team) for each in leaders.hurriers(battle, unit)):
        leaders.hurry(battle, unit, team)


# ---- in and out of vehicles (16.1) ---------------------------------------------------------------------------


def _mounts(battle: CompanyBattle, unit: Platoon, party: Sequence[int], moves: int, trip: Trip) -> Iterator[Option]:
    """Who can get to which vehicle, and all together."""
    found = list(_pairs(battle, unit, party, moves, trip))
    if len({number for number, _ in found}) > 1:
        yield Option("mount all", "Mount: as many as there is room for", "mount", unit.id, rule="16.1")
    for number, vehicle in found:
        team = unit.models[number]
        label = f"{battle.team_name(unit, team)} mounts {battle.team_name(unit, vehicle)}"
        yield Option(f"mount {team.id} {vehicle.id}", label, "mount", unit.id, rule="16.1", model=team.id)


def bar_mount(battle: CompanyBattle, unit: Platoon, team: Team, vehicle: Team, trip: Trip) -> Bar | None:
    """Why a Team cannot ride in a vehicle now, wherever it is (16.1)."""
    return transports.HAS_MOVED if vehicle.id in trip.gone else transports.bar_aboard(battle, unit, team, vehicle)


def _pairs(
    battle: CompanyBattle, unit: Platoon, party: Sequence[int], moves: int, trip: Trip
) -> Iterator[tuple[int, Team]]:
    carriers = [team for team in unit.models if battle.team_type(team).transport]
    if not carriers or not party:
        return
    ways = area_of(battle, unit, party, moves, frozenset(trip.gone)).ways[0]
    for number in party:
        for vehicle in carriers:
            team = unit.models[number]
            if bar_mount(battle, unit, team, vehicle, trip) is None:
                if transports.way_in(battle, unit, ways, number, vehicle) is not None:
                    yield number, vehicle


def _mount(
    battle: CompanyBattle, unit: Platoon, left: list[str], words: list[str], moves: int, trip: Trip
) -> Procedure[None]:
    """Teams go to a vehicle and get in, or are hitched to it."""
    wanted: dict[str, str] = {}
    party = _going(unit, left, trip)
    if words == ["all"]:
        loads = {team.id: len(transports.load(unit, team)) for team in unit.models}
        for number, vehicle in _pairs(battle, unit, party, moves, trip):
            team = unit.models[number]
            room = 1 if battle.team_type(team).gun else battle.team_type(vehicle).transport
            if team.id not in wanted and loads[vehicle.id] < room:
                wanted[team.id] = vehicle.id
                loads[vehicle.id] += room if battle.team_type(team).gun else 1
    else:
        wanted[words[0]] = words[1]
    ways = area_of(battle, unit, party, moves, frozenset(trip.gone)).ways[0]
    paths: dict[str, Path] = {}
    for number in party:
        id = unit.models[number].id
        if id in wanted:
            path = transports.way_in(battle, unit, ways, number, battle.team(unit, wanted[id]))
            assert path is not None
            paths[id] = path
    left[:] = [id for id in left if id not in wanted]
    trip.gone |= set(wanted)
    trip.parked |= set(wanted.values())
    yield from _walk(battle, unit, paths, {}, {}, "mount", ("16.1",))
    for id, carrier in wanted.items():
        here = {team.id: team for team in unit.models}
        if id not in here or carrier not in here:
            continue  # fire on the way has felled it, or the vehicle
        team, vehicle = here[id], here[carrier]
        if transports.bar_aboard(battle, unit, team, vehicle) is not None:
            continue
        transports.put_aboard(battle, unit, team, vehicle)
        names = battle.team_name(unit, team), battle.team_name(unit, vehicle)
        battle.emit(Mounted(side=unit.side, unit=unit.id, team=names[0], vehicle=names[1], rules=("16.1",)))


def _may_leave(rider: Team, trip: Trip, tried: set[str]) -> bool:
    """Whether a rider can get out: its vehicle has not moved, and nobody has asked already (16.1)."""
    return rider.aboard not in trip.gone and rider.id not in trip.gone and f"dismount {rider.aboard}" not in tried


def _dismount(battle: CompanyBattle, unit: Platoon, left: list[str], id: str, trip: Trip) -> Procedure[list[str]]:
    """Ask where those aboard a vehicle get out who are to move, and set them down there; who they are."""
    vehicle = battle.team(unit, id)
    riders = [rider for rider in transports.load(unit, vehicle) if rider.id in left]
    area = transports.area_out(battle, unit, riders, vehicle, trip.gone)
    stay = Option("stay", "Stay aboard", "stay", unit.id, rule="16.1")
    hull, far = battle.body(unit, vehicle), charts().distance("distances", "mount")
    answer = yield from moving.ask_pose(
        unit.side,
        f"{battle.name(unit)}: get out of {battle.team_name(unit, vehicle)} where, within {exactly(far, MEASURE)}?",
        lambda: [stay, *places_about(area, hull, far, MEASURE)],
        lambda: area,
        rule="16.1",
    )
    if not isinstance(answer, Pose):
        return []
    paths, headings = moving.course_to(area, answer)
    for rider in riders:
        rider.x, rider.y = paths[rider.id][0]
        transports.take_out(battle, unit, rider)
        names = battle.team_name(unit, rider), battle.team_name(unit, vehicle)
        battle.emit(Dismounted(side=unit.side, unit=unit.id, team=names[0], vehicle=names[1], rules=("16.1",)))
    ids = [rider.id for rider in riders]
    left[:] = [each for each in left if each not in ids]
    trip.gone |= set(ids)
    trip.parked.add(vehicle.id)
    yield from _walk(battle, unit, paths, headings, {}, "move", ("16.1",))
    for rider in riders:
        rider.moved = True
    return ids


# ---- back into cohesion (5.3, 5.6) ---------------------------------------------------------------------------


def _rejoin(
    battle: CompanyBattle, unit: Platoon, ids: Sequence[str], moves: int, how: str, trip: Trip
) -> Procedure[None]:
    """Those out of cohesion who are to move go the shortest way back into it, or as far as they can, or stay."""
    waiting = [id for id in ids if id not in trip.gone and id not in trip.parked]
    if unit.status == LOST or not unit.models or not (strays := _strays(battle, unit, waiting)):
        return
    count = "A Team goes" if len(strays) == 1 else f"{len(strays)} Teams go"
    answer = yield Ask(
        unit.side,
        f"{battle.name(unit)}: {len(strays)} out of cohesion",
        [
            Option("rejoin", f"{count} back toward the Leader, the shortest way", "rejoin", unit.id, rule="5.3"),
            Option("stay", "Leave them there", "stay", unit.id, rule="5.2"),
        ],
        rule="5.3",
    )
    while answer == "rejoin" and strays and unit.status != LOST:
        number = strays[0]
        id = unit.models[number].id
        waiting.remove(id)
        if (path := way_back(battle, unit, number, moves)) is not None:
            trip.gone.add(id)
            heading = unit.models[number].heading
            yield from _walk(battle, unit, {id: path}, {id: heading}, {}, how, ("5.3", "5.6"))
        strays = _strays(battle, unit, waiting)


def _strays(battle: CompanyBattle, unit: Platoon, ids: Sequence[str]) -> list[int]:
    """By number, those of some Teams who are out of cohesion, the nearest to their Leader first."""
    known = battle.bodies(unit)
    ties = cohesion.Ties(battle, unit, unit.models, known, ())
    found = [n for n, team in enumerate(unit.models) if team.id in ids and ties.duty[n] and not ties.before[n]]
    return sorted(found, key=lambda number: bodies.gap(known[number], known[ties.leader]))


def way_back(battle: CompanyBattle, unit: Platoon, number: int, moves: int) -> Path | None:
    """The shortest way of a Team back into cohesion, or as far toward it as it gets; None if it gets no nearer."""
    far = [float(ground.rate(battle, team, moves)) for team in unit.models]
    area = _area(battle, unit, [number], far, frozenset())
    here, form = area.known[number], area.names[0]
    (region,) = area.regions(form, here.heading)
    start = shapely.Point(here.x, here.y)
    if not region.is_empty:
        goal: BaseGeometry = start
    else:
        goal = area.ties.within({number: (0, 0)}, lambda _: here.heading) or start
        area = _area(battle, unit, [number], far, frozenset(), tied=False)
        (region,) = area.regions(form, here.heading)
        if goal.is_empty or region.is_empty or region.distance(goal) >= start.distance(goal) - 1:
            return None
    for deep in INWARD:
        inner = region.buffer(-deep)
        if inner.is_empty:
            break
        x, y = (round(at) for at in shapely.shortest_line(inner, goal).coords[0])
        if area.allows(Pose(x, y, here.heading, form)):
            return area.ways[0].path(number, (x, y))
    return None


# ---- off the table (16.6) ------------------------------------------------------------------------------------


def exits(battle: CompanyBattle, unit: Platoon, party: Sequence[int], moves: int) -> list[str]:
    """The edges over which a whole Unit can leave, where the scenario lets it."""
    edges = [
        way.edge
        for way in battle.scenario.victory.exits
        if way.side == unit.side and (not way.kinds or unit.kind in way.kinds)
    ]
    if not edges or len(party) < len(unit.models) or any(battle.team_type(team).leader == CC for team in unit.models):
        return []
    ways = area_of(battle, unit, party, moves, frozenset()).ways
    return [edge for edge in dict.fromkeys(edges) if moving.ways_over(battle.table, ways, edge) is not None]


def leave_table(battle: CompanyBattle, unit: Platoon, edge: str, moves: int) -> Procedure[None]:
    """A Unit goes over an edge: it is neither lost nor present any more."""
    ways = area_of(battle, unit, range(len(unit.models)), moves, frozenset()).ways[0]
    paths = moving.paths_over(battle.table, ways, [team.id for team in unit.models], edge)
    yield from _walk(battle, unit, paths, {}, {}, "exit", ("16.6",))
    if unit.status == LOST or not unit.models:
        return
    if not all(moving.at_edge(battle.table, edge, team.x, team.y) == (team.x, team.y) for team in unit.models):
        return  # a vehicle is stuck on the way, and its Unit does not leave it
    unit.status, unit.models, unit.riders = EXITED, [], []
    battle.state.exits[unit.id] = edge
    battle.invalidate()
    battle.emit(LeftTable(side=unit.side, unit=unit.id, edge=edge, rules=("16.6",)))
