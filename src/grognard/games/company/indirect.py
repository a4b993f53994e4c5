"""Indirect fire (15): who observes, ranging in, the template and its shift, and what falls on those under it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import bodies, lines
from grognard.board.table.bodies import DISC, HAIR, Body, Footprint
from grognard.board.table.places import exactly
from grognard.board.table.point_area import PointArea
from grognard.board.table.templates import Square, touched
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import Faces, Reader, at_least, counts, meanings
from grognard.core.poses import Pose, Preview, place, read_pose
from grognard.core.tally import Tally
from grognard.games.company import (
    armour,
    casualties,
    command_events,
    cover,
    dealing,
    firing,
    leaders,
    saves,
    smoke,
    suppression,
    to_hit,
)
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import Weapon, charts
from grognard.games.company.state import PL, Platoon, Team
from grognard.kits.table.state import ON_TABLE

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: The guns observe for themselves.
GUNS = "guns"
#: How fine the places are among which a point for smoke is picked: squares of so many hundredths.
SQUARE = 200
#: A point on the table, to be looked at.
POINT = Footprint(DISC, radius=1)
#: In how many directions the enemy is offered to shift a template.
WAYS = 8


# ---- guns (15.1, 15.2, 15.9, 15.21) --------------------------------------------------------------------------


def weapon(battle: CompanyBattle, team: Team) -> Weapon | None:
    """The weapon with which a Team fires a barrage; None if it has none (15.1)."""
    arms = [weapon for weapon in battle.team_type(team).arms if weapon.barrage_fp]
    return max(arms, key=lambda weapon: weapon.barrage_fp, default=None)


def bar_gun(battle: CompanyBattle, team: Team) -> Bar | None:
    """Why a Team cannot fire in a barrage; None if it can."""
    if weapon(battle, team) is None:
        return Bar("15.1", "it has no weapon for a barrage")
    if team.marks:
        return Bar("11.2", "it is suppressed")
    return Bar("7.2", "it has fired in this Initiative") if team.shot == battle.state.initiative else None


def bar_barrage(battle: CompanyBattle, unit: Platoon) -> Bar | None:
    """Why a Unit cannot fire a barrage (15.1, 15.9); None if it can."""
    if not battle.artillery(unit):
        return Bar("15.1", "only artillery fires barrages")
    able = [team for team in unit.models if bar_gun(battle, team) is None]
    if len(able) < charts().number("barrage", "least_guns"):
        return Bar("15.9", "a single gun may not fire a barrage" if able else "none of its guns can fire")
    return None


def reach(battle: CompanyBattle, unit: Platoon, gun: Team, where: Sequence[Body]) -> Bools:
    """Which bases a gun can fire a barrage at: in range and its forward arc, and not too near (15.1, 15.2, 15.21)."""
    fired, here = weapon(battle, gun), battle.body(unit, gun)
    if fired is None or not where:
        return np.zeros(len(where), dtype=np.bool_)
    far = fired.range * charts().number("to_hit_limits", "long_range") + HAIR
    apart = bodies.gaps([here], where)[0]
    can = (apart <= far) & (apart >= charts().distance("barrage_limits", "least_range") - HAIR)
    if not battle.team_type(gun).infantry:
        heading = gun.turret if gun.turret >= 0 else gun.heading
        can &= np.array([bodies.ahead(here, heading, body.x, body.y, 0.0) >= -HAIR for body in where])
    table = battle.table
    plans = [(piece, table.line(piece) if table.thin(piece) else table.area(piece)) for piece in table.pieces]
    # What it stands in is nothing that it fires over.
    near = [piece for piece, plan in plans if 0 < bodies.gap_to_shape(here, plan) < table.height_of(piece) - HAIR]
    if near and can.any():
        ends = np.array([(body.x, body.y) for body in where], dtype=np.float64)
        starts = np.tile(np.array([(here.x, here.y)], dtype=np.float64), (len(ends), 1))
        can &= ~np.isfinite(lines.spans(battle.table, starts, ends, near).enter).any(axis=1)
    return np.asarray(can)


def beyond(battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], there: Body) -> bool:
    """Whether a place is beyond the range of any of the guns (15.18)."""
    return any(
        bodies.gap(battle.body(unit, gun), there) > fired.range + HAIR
        for gun in guns
        if (fired := weapon(battle, gun)) is not None
    )


def dice(battle: CompanyBattle, guns: Sequence[Team], far: bool) -> Tally:
    """How many dice are rolled for each Team under the template (15.8, 15.9, 15.19)."""
    now = charts()
    arms = [fired for gun in guns if (fired := weapon(battle, gun)) is not None]
    low = min(arms, key=lambda fired: fired.barrage_fp)
    found = Tally("Dice for each Team", low.barrage_fp, "15.8", low.title)
    if len(guns) >= now.number("barrage", "many_guns"):
        found.add("many_guns", now.number("barrage", "many_guns_fp"), "15.9", f"{len(guns)} guns")
    elif len(guns) <= now.number("barrage", "few_guns"):
        found.multiply("few_guns", now["barrage"]["few_guns_fp"], "15.9", f"{len(guns)} guns")
    if far:
        found.multiply("long_range", now["to_hit_limits"]["long_range_fp"], "15.19")
    return found


# ---- observers (15.3, 15.4, 15.14) ---------------------------------------------------------------------------


class Observer(NamedTuple):
    """Who observes a barrage: Teams of a platoon by their rows, and whether he is the commander (6.14)."""

    id: str
    unit: Platoon
    rows: tuple[int, ...]
    commander: bool = False


def observers(battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], moving: Collection[str]) -> list[Observer]:
    """Who may observe for a barrage of a Unit, the observer whose trade it is first; nobody who moves (15.3, 15.4)."""
    own = {team.id: row for row, team in enumerate(unit.models)}
    found = [
        Observer(team.id, unit, (own[team.id],))
        for team in sorted(unit.models, key=lambda team: not battle.team_type(team).observer)
        if (battle.team_type(team).observer or (team.id == unit.leader and battle.team_type(team).leader == PL))
        and team.id not in moving
    ]
    there = leaders.captain(battle, unit.side)
    if there is not None and not (there[0] is unit and there[1].id in moving):
        found.append(Observer(leaders.CC_ID, there[0], (there[0].models.index(there[1]),), True))
    if guns:
        found.append(Observer(GUNS, unit, tuple(own[gun.id] for gun in guns)))
    return found


def observed(battle: CompanyBattle, observer: Observer, foe: Platoon) -> tuple[int, ...]:
    """The Teams of an enemy Unit, by their rows, that an observer sees (15.3)."""
    seen = cover.judged(battle, observer.unit, observer.rows, foe).seen
    return tuple(row for row, sees in enumerate(seen) if sees)


class Aim(NamedTuple):
    """A Team to range in on, and the guns that reach it."""

    foe: Platoon
    team: Team
    guns: tuple[Team, ...]


def aims(battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], observer: Observer) -> list[Aim]:
    """The enemy Teams that an observer sees and guns enough reach (15.3, 15.5, 15.9)."""
    least = charts().number("barrage", "least_guns")
    found = []
    for foe in battle.enemies(unit.side):
        there = battle.bodies(foe)
        can = np.array([reach(battle, unit, gun, there) for gun in guns]).reshape(len(guns), len(there))
        if not (can.sum(axis=0) >= least).any():
            continue
        for row in observed(battle, observer, foe):
            firing_ = tuple(gun for gun, reaches in zip(guns, can[:, row]) if reaches)
            if len(firing_) >= least:
                found.append(Aim(foe, foe.models[row], firing_))
    return found


def bar_range(battle: CompanyBattle, unit: Platoon, foe: Platoon) -> Bar | None:
    """Why a Unit cannot range in on another (15.1, 15.3, 15.9, 15.21); None if it can."""
    if bar := bar_barrage(battle, unit):
        return bar
    guns = [team for team in unit.models if bar_gun(battle, team) is None]
    watching = observers(battle, unit, guns, ())
    if any(aim.foe is foe for each in watching for aim in aims(battle, unit, guns, each)):
        return None
    if not any(observed(battle, each, foe) for each in watching):
        return Bar("15.3", "nobody who could observe sees it")
    near = charts().distance("barrage_limits", "least_range")
    if all(bodies.gaps([battle.body(unit, gun)], battle.bodies(foe)).max() < near for gun in guns):
        return Bar("15.21", f"it is nearer to the guns than {exactly(near, battle.measure)}")
    return Bar("15.9", "fewer than two guns reach it: for range, arc, or what they stand too close behind")


# ---- the barrage ---------------------------------------------------------------------------------------------


def barrage(
    battle: CompanyBattle, unit: Platoon, teams: Sequence[str], moving: Collection[str] = ()
) -> Procedure[None]:
    """A barrage, or smoke: observer, target, ranging in, and what comes of it (15.1 to 15.13)."""
    guns = [team for team in unit.models if team.id in teams and bar_gun(battle, team) is None]
    if len(guns) < charts().number("barrage", "least_guns"):
        return
    watching = {each.id: each for each in observers(battle, unit, guns, moving)}
    seen = {id: aims(battle, unit, guns, each) for id, each in watching.items()}
    chosen = yield from _who_observes(battle, unit, watching, seen)
    observer = watching[chosen]
    answer = yield from _at_what(battle, unit, guns, observer, seen[chosen])
    verb, *words = answer.split()
    if verb == "done":
        return
    if verb == "smoke":
        yield from _smoke(battle, unit, guns, observer)
        return
    aim = next(aim for aim in seen[chosen] if [aim.foe.id, aim.team.id] == words)
    _open(battle, unit, aim.guns, observer, smoke=False)
    target = yield from leaders.join(battle, aim.foe)
    far = beyond(battle, unit, aim.guns, battle.body(target, aim.team))
    hit = yield from _range_in(battle, unit, observer, target, far)
    at = (aim.team.x, aim.team.y)
    if not hit:
        at = yield from _shift(battle, unit, aim.guns, at)
    yield from fall(battle, unit, aim.guns, square_at(battle, unit, aim.guns, *at), far, target if hit else None)
    if target is not aim.foe:
        yield from leaders.part(battle, target.side)


def _who_observes(
    battle: CompanyBattle, unit: Platoon, watching: Mapping[str, Observer], seen: Mapping[str, list[Aim]]
) -> Procedure[str]:
    """Who observes: asked where several see an enemy, or where none does and smoke is laid (15.3, 15.12)."""
    able = [id for id in watching if seen[id]] or list(watching)
    if len(able) == 1:
        return able[0]
    options = [
        Option(f"barrage {id}", _called(battle, watching[id]), "barrage", unit.id, rule="15.3", model=id) for id in able
    ]
    answer = yield Ask(unit.side, f"{battle.name(unit)}, barrage: who observes?", options, rule="15.3")
    return answer.split()[1]


def _called(battle: CompanyBattle, observer: Observer) -> str:
    if observer.id == GUNS:
        return "the guns themselves"
    return battle.team_name(observer.unit, observer.unit.models[observer.rows[0]])


def _at_what(
    battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], observer: Observer, seen: Sequence[Aim]
) -> Procedure[str]:
    """Which Team is ranged in on, or smoke (15.5, 15.12)."""

    def options() -> Iterator[Option]:
        for aim in seen:
            far = beyond(battle, unit, aim.guns, battle.body(aim.foe, aim.team))
            need = ranging(battle, observer, aim.foe, far)
            label = f"{battle.name(aim.foe)}: {battle.team_name(aim.foe, aim.team)}, {need.total}+ to range in"
            yield Option(
                f"range {aim.foe.id} {aim.team.id}",
                label,
                "range",
                unit.id,
                place(aim.team.x, aim.team.y),
                aim.foe.id,
                rule="15.5",
                target_model=aim.team.id,
            )
        yield Option("smoke", "Lay smoke at a point", "smoke", unit.id, rule="15.12")
        yield Option("done", "Fire nothing", "done", unit.id, rule="15.5")

    def foresee(key: str) -> Preview | None:
        aim = next((aim for aim in seen if key == f"range {aim.foe.id} {aim.team.id}"), None)
        if aim is None:
            return None
        area = _area(battle, unit, aim.guns, (aim.team.x, aim.team.y), "range", "15.6", shapely.Point)
        found = area.preview(Pose(aim.team.x, aim.team.y))
        return Preview(key, lines=found.lines, outline=found.outline)

    prompt = f"{battle.name(unit)}, barrage: range in on whom?"
    return (yield Ask(unit.side, prompt, options, rule="15.5", foresee=foresee))


def _open(battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], observer: Observer, *, smoke: bool) -> None:
    """The guns fire: that is firing for whatever else asks (15.25, 7.2)."""
    for gun in guns:
        gun.fired, gun.shot, gun.watch = True, battle.state.initiative, False
    who = _called(battle, observer)
    battle.emit(
        command_events.BarrageOpens(
            side=unit.side, unit=unit.id, guns=len(guns), observer=who, smoke=smoke, rules=("15.1", "15.3", "15.25")
        )
    )


# ---- ranging in (15.5 to 15.7, 15.18) ------------------------------------------------------------------------


def ranging(battle: CompanyBattle, observer: Observer, target: Platoon, far: bool) -> Tally:
    """What the ranging roll needs, with every modifier that can apply (15.18)."""
    judged = cover.judged(battle, observer.unit, observer.rows, target)
    training = battle.training(target)
    return to_hit.ranging(
        training, concealed=judged.concealed, down=judged.down, long=far, commander=observer.commander
    )


def _range_in(battle: CompanyBattle, unit: Platoon, observer: Observer, target: Platoon, far: bool) -> Procedure[bool]:
    """Whether the ranging roll hits; the target may go to ground before it (15.5, 15.22)."""
    need = ranging(battle, observer, target, far)
    judged = cover.judged(battle, observer.unit, observer.rows, target)
    if not to_hit.fails(need) and not judged.down and firing.bar_ground(battle, target) is None:
        if (yield from firing.offer_ground(battle, target, f"{battle.name(unit)} ranges in ({need.total}+)")):
            need = ranging(battle, observer, target, far)
    return _roll_range(battle, unit, need, target.id)


def _roll_range(battle: CompanyBattle, unit: Platoon, need: Tally, target: str) -> bool:
    """One hit roll; a number of 7 or more cannot be made (15.5, 6.16, 6.17)."""
    rules: tuple[str, ...] = ("15.5", "15.18")
    read = at_least(max(2, need.total))
    hit = not to_hit.fails(need) and bool(battle.roll(unit.side, "ranging in", "1d6", read, rules, (need,), target))
    rules = ("15.6",) if hit else ("15.7",)
    battle.emit(command_events.RangedIn(side=unit.side, unit=unit.id, on_target=hit, rules=rules))
    return hit


def square_at(battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], x: int, y: int) -> Square:
    """The template at a point, square to the line from the middle of the guns that fire (15.6, 15.7)."""
    stand = [battle.body(unit, gun) for gun in guns]
    mx, my = sum(body.x for body in stand) / len(stand), sum(body.y for body in stand) / len(stand)
    return Square(x, y, charts().distance("barrage", "side"), round(bodies.bearing(mx, my, x, y)) % 360)


def _area(
    battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], at: tuple[int, int], verb: str, rule: str, shape: Any
) -> PointArea:
    """Where the template may be laid, turned as it lies at each point; a preview tells who would be under it."""
    return PointArea(
        unit.id,
        lambda: shape(at) if shape is shapely.Point else shape(),
        at,
        label="The template goes there",
        verb=verb,
        rule=rule,
        template=lambda pose: square_at(battle, unit, guns, pose.x, pose.y),
        standing=lambda: [(battle.name(each), battle.bodies(each)) for each in battle.units()],
        outside=Bar(rule, "the template can't go there"),
    )


def _shift(
    battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], at: tuple[int, int]
) -> Procedure[tuple[int, int]]:
    """The enemy may move the template by up to 6 inches (15.7)."""
    far, other = charts().distance("barrage", "shift"), battle.other(unit.side)
    table = battle.table
    disc = shapely.Point(at).buffer(far, quad_segs=32).intersection(shapely.box(0, 0, table.width, table.height))
    area = _area(battle, unit, guns, at, "at", "15.7", lambda: disc)

    def worth(point: tuple[int, int]) -> int:
        square = square_at(battle, unit, guns, *point)
        return sum(
            sum(touched(battle.bodies(each), square)) * (1 if each.side == other else -1) for each in battle.units()
        )

    def ways() -> Iterator[tuple[int, int]]:
        for part in (1.0, 0.5):
            for turn in range(WAYS):
                point = bodies.onward(*at, turn * 360 / WAYS, far * part - 2)
                if area.bar(Pose(*point)) is None:
                    yield point

    def options() -> list[Option]:
        found = sorted(set(ways()), key=lambda point: (worth(point), point))[:WAYS]
        stay = Option("pass", "Leave it where it is", "pass", unit.id, place(*at), rule="15.7")
        return [*(_point_option(battle, unit, guns, point) for point in found), stay]

    def best() -> str:
        point = min([at, *ways()], key=lambda point: (worth(point), point != at, point))
        return "pass" if point == at else Pose(*point, 0, PointArea.FORM).key("at")

    prompt = f"The barrage of {battle.name(unit)} misses: where does it fall?"
    answer = yield Ask(other, prompt, options, rule="15.7", reaction="shift", area=lambda: area, meanwhile=best)
    read = read_pose(answer)
    return at if read is None else (read[1].x, read[1].y)


def _point_option(battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], point: tuple[int, int]) -> Option:
    square = square_at(battle, unit, guns, *point)
    under = [
        f"{count} of {battle.name(each)}"
        for each in battle.units()
        if (count := sum(touched(battle.bodies(each), square)))
    ]
    pose = Pose(*point, 0, PointArea.FORM)
    return Option(
        pose.key("at"), f"At {pose.place}, on {', '.join(under) or 'nobody'}", "at", unit.id, pose.place, rule="15.7"
    )


# ---- what falls (15.8 to 15.11, 15.19 to 15.21, 15.24) -------------------------------------------------------


def fall(
    battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], square: Square, far: bool, ranged: Platoon | None
) -> Procedure[None]:
    """Everybody under the template is attacked, friend and foe; ``ranged`` is the Unit that was ranged in on."""
    joined = []
    for side in battle.sides:
        own = battle.commander(side)
        if own is not None and any(touched(battle.bodies(own), square)):
            if (yield from leaders.join(battle, own)) is not own:
                joined.append(side)
    under = {
        each.id: [team.id for team, hit in zip(each.models, touched(battle.bodies(each), square)) if hit]
        for each in battle.units()
    }
    count, where = sum(map(len, under.values())), place(square.x, square.y)
    battle.emit(
        command_events.BarrageFalls(side=unit.side, unit=unit.id, place=where, teams=count, rules=("15.8", "15.19"))
    )
    number, shell = dice(battle, guns, far), _at(battle, guns)
    for id, teams in under.items():
        if teams:
            extra = charts().number("barrage", "ranged_in_markers") if ranged is not None and ranged.id == id else 0
            yield from _shell(battle, unit, battle.unit(id), teams, number, shell, extra)
    for side in joined:
        yield from leaders.part(battle, side)


def _at(battle: CompanyBattle, guns: Sequence[Team]) -> bool:
    """Whether what falls has the AT trait: that of the weapon whose dice are used (15.19, 15.21)."""
    arms = [fired for gun in guns if (fired := weapon(battle, gun)) is not None]
    return min(arms, key=lambda fired: fired.barrage_fp).at


def needed(battle: CompanyBattle, target: Platoon, teams: Sequence[Team]) -> Tally:
    """What the dice need against Teams of one Unit under the template: concealed and gone to ground only (15.19).

    They have the cover of the areas that they stand in, and none from lines (15.24).
    """
    covers = [(team, cover.area_cover(battle, target, team)) for team in teams]
    return to_hit.needed(
        battle.training(target),
        concealed=all(cover.concealed(battle, team, level) for team, level in covers),
        down=all(cover.gone_to_ground(battle, target, team, level) for team, level in covers),
    )


def _shell(
    battle: CompanyBattle, unit: Platoon, target: Platoon, ids: Sequence[str], number: Tally, at: bool, extra: int
) -> Procedure[None]:
    """One Unit under the template: dice and one Save for each Team, then its markers (15.8, 15.10, 15.11)."""
    teams = [team for team in target.models if team.id in ids and (at or not battle.team_type(team).armored)]
    need = needed(battle, target, [battle.team(target, id) for id in ids])
    hits = _dice(battle, unit, target, teams, number, need) if number.total and teams else {}
    counted = sum(dealt for id, dealt in hits.items() if not battle.team_type(battle.team(target, id)).observer)
    event = command_events.Shelled(
        side=unit.side, unit=unit.id, target=target.id, hits=sum(hits.values()), teams=len(hits), rules=("15.8",)
    )
    battle.emit(event)
    tallies = [
        (team, saves.save_number(battle, team, cover.area_cover(battle, target, team), at=at))
        for team in teams
        if team.id in hits and not battle.team_type(team).armored
    ]
    fallen = saves.single(battle, target, tallies, ("15.10", "8.2"))
    for team in [team for team in teams if team.id in hits and battle.team_type(team).armored]:
        yield from armour.strike(battle, unit.side, target, team.id, {armour.TOP: 1}, again=team.ran, rules=("15.21",))
    for team in fallen:
        yield from casualties.lose(battle, target, team.id, ("15.10", "8.4"))
    marks = counted // charts().number("suppression", "hits") + extra
    if marks and target.status == ON_TABLE and target.models:
        yield from suppression.mark(battle, target, marks, ids, ("15.11", "15.20") if extra else ("15.11",))


def _dice(
    battle: CompanyBattle, unit: Platoon, target: Platoon, teams: Sequence[Team], number: Tally, need: Tally
) -> dict[str, int]:
    """How many dice hit each Team; for odds those of Teams that are alike, in one throw."""
    groups: dict[object, list[Team]] = {}
    for team in teams:
        groups.setdefault(dealing.sameness(battle, target, team) if battle.for_odds else team.id, []).append(team)
    found: dict[str, int] = {}
    faces = to_hit.faces(need.total)
    for alike in groups.values():
        read, dice_ = struck(len(alike), number.total, faces), f"{len(alike) * number.total}d6"
        rules: tuple[str, ...] = ("15.8", "15.19")
        struck_, hits = battle.roll(unit.side, "barrage", dice_, read, rules, (need, number), target.id)
        for place_, team in enumerate(alike[:struck_]):
            found[team.id] = hits - (struck_ - 1) if place_ == 0 else 1
    return found


@cache
def struck(teams: int, number: int, faces: tuple[int, ...]) -> Reader:
    """Reads the dice of Teams that are alike, so many for each: how many of them are hit, and by how many dice.

    >>> sorted(meanings(2, 6, struck(1, 2, (0, 0, 0, 1, 1, 1))))
    [((0, 0), 9), ((1, 1), 18), ((1, 2), 9)]
    """

    def read(thrown: Faces) -> tuple[int, int]:
        each = [sum(faces[face - 1] for face in thrown[n : n + number]) for n in range(0, len(thrown), number)]
        return sum(map(bool, each)), sum(each)

    def spread(count: int, sides: int) -> dict[Any, int]:
        one = dict(meanings(number, sides, counts((faces,) * number)))
        found = {(0, 0): 1}
        for _ in range(teams):
            after: dict[tuple[int, int], int] = {}
            for (hit, hits), ways in found.items():
                for dealt, equal in one.items():
                    key = hit + (dealt > 0), hits + dealt
                    after[key] = after.get(key, 0) + ways * equal
            found = after
        return dict(found)

    read.spread = spread  # type: ignore[attr-defined]
    read.words = ("Team hit" if teams == 1 else "Teams hit", "hits")  # type: ignore[attr-defined]
    read.worth = lambda meaning: meaning[1]  # type: ignore[attr-defined]
    return read


# ---- smoke (15.12, 15.18) ------------------------------------------------------------------------------------


def _smoke(battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], observer: Observer) -> Procedure[None]:
    """Smoke at a point that the observer sees: ranged in on, maybe shifted, and laid (15.12)."""
    points = _points(battle, unit, guns, observer)

    def shape() -> Any:
        half = SQUARE // 2
        return shapely.union_all([shapely.box(x - half, y - half, x + half, y + half) for x, y in points])

    area = _area(battle, unit, guns, (guns[0].x, guns[0].y), "at", "15.12", shape)

    def options() -> Iterator[Option]:
        for foe in battle.enemies(unit.side):
            pose = Pose(*battle.anchor(foe), 0, PointArea.FORM)
            if area.bar(pose) is None:
                yield Option(pose.key("at"), f"On {battle.name(foe)}", "at", unit.id, pose.place, foe.id, rule="15.12")
        yield Option("done", "Fire nothing", "done", unit.id, rule="15.12")

    prompt = f"{battle.name(unit)}: smoke where?"
    read = read_pose((yield Ask(unit.side, prompt, options, rule="15.12", area=lambda: area)))
    if read is None:
        return
    x, y = read[1].x, read[1].y
    middle = min(points, key=lambda point: max(abs(point[0] - x), abs(point[1] - y)))
    there = Body(x, y, 0, POINT)
    can = [gun for gun, reaches in zip(guns, points[middle]) if reaches]
    _open(battle, unit, can, observer, smoke=True)
    need = Tally("To range in", charts().number("barrage_limits", "point_number"), "15.18", "a bare point")
    for id, applies in (("long_range", beyond(battle, unit, can, there)), ("commander_observes", observer.commander)):
        if applies:
            modifier = charts().modifier(id)
            need.add(id, modifier.amount, modifier.rule)
    at = (x, y)
    if not _roll_range(battle, unit, need, unit.id):
        at = yield from _shift(battle, unit, can, at)
    smoke.lay(battle, unit, square_at(battle, unit, can, *at))


def _points(
    battle: CompanyBattle, unit: Platoon, guns: Sequence[Team], observer: Observer
) -> dict[tuple[int, int], list[bool]]:
    """The middles of the squares that the observer sees and guns enough reach, with which guns do (15.1, 15.3)."""
    table, half = battle.table, SQUARE // 2
    spots = [Body(x, y, 0, POINT) for x in range(half, table.width, SQUARE) for y in range(half, table.height, SQUARE)]
    can = np.array([reach(battle, unit, gun, spots) for gun in guns])
    near = np.flatnonzero(can.sum(axis=0) >= charts().number("barrage", "least_guns"))
    if not len(near):
        return {}
    sighting = cover.looks_of(battle).sighting
    stand = battle.bodies(observer.unit)
    eyes = [sighting.eye(observer.unit, row, stand[row]) for row in observer.rows]
    seen: list[bool] = np.any(sighting.see(eyes, [spots[n] for n in near]).seen, axis=0).tolist()
    return {(spots[n].x, spots[n].y): can[:, n].tolist() for n, sees in zip(near.tolist(), seen) if sees}
