"""2.1, 2.2, 2.4: a company goes, all of it or the leader with his party."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies, formations
from grognard.board.table.footing import Footing
from grognard.board.table.regions import covered
from grognard.board.table.stand_area import StandArea
from grognard.board.table.ways import Pace, Paced
from grognard.core.ask import Bar, Option, Procedure
from grognard.core.events import Told
from grognard.core.poses import Pose
from grognard.kits.table import moving
from grognard.kits.table.good_poses import Wishes, good_poses
from grognard.kits.table.ground import footing_for
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.charts import INCH, charts
from tests.kits.table.stands.standing import Going, Standing, ground_of, led
from tests.kits.table.stands.state import Unit

WISHES = Wishes(inch=INCH)
FORMS = (formations.AS_THEY_STAND, formations.LINE, formations.COLUMN, formations.CLUSTER, formations.WEDGE)
LOST = Bar("2.2", "less than half of the unit would be by its leader")


class Went(Told, frozen=True, kw_only=True):
    """{unit} {how} to {place}."""

    unit: str
    place: str
    how: str


def paces(battle: Field, unit: Unit, part: float = 1.0) -> Paced:
    """2.1: how each stand goes: on the track if it is on one, across country unless it is in a spinney, and anyhow."""
    table, stand = battle.table, battle.bodies(unit)
    roads, thick = ground_of(table, "easy"), ground_of(table, "thick")
    on = [bool(shapely.contains_xy(roads, body.x, body.y)) for body in stand]
    deep = [bool(shapely.intersects_xy(thick, body.x, body.y)) for body in stand]
    track, country, spinney = (charts().distance("paces", ground) for ground in ("track", "country", "spinney"))
    made: dict[tuple[str, float], Footing] = {}

    def over(kind: str, radius: float, who: Sequence[bool]) -> Footing:
        if (kind, radius) not in made:
            starts = np.array([(body.x, body.y) for body, one in zip(stand, who) if one], float)
            made[kind, radius] = footing_for(Going(battle, kind), unit, starts, radius, track)
        return made[kind, radius]

    found = []
    for body, road, wood in zip(stand, on, deep):
        kinds: list[tuple[str, int, list[bool]]] = [("bad going", spinney, [True] * len(stand))]
        kinds = [("country", country, [not each for each in deep]), *kinds] if not wood else kinds
        kinds = [("track", track, on), *kinds] if road else kinds
        found.append([Pace(kind, over(kind, body.foot.narrowest, who), far * part) for kind, far, who in kinds])
    return Paced([(body.x, body.y) for body in stand], found)


class CompanyArea(StandArea):
    """2.1 to 2.4: where a company may go, all of it or the leader with his party."""

    def __init__(self, battle: Field, unit: Unit, party: Sequence[int], *, rule: str, part: float = 1.0) -> None:
        stand = battle.bodies(unit)
        whole = len(party) == len(stand)
        # Who has lost his leader's voice does not go on as he stands.
        names = sorted(FORMS, key=lambda form: form == formations.AS_THEY_STAND and whole and not led(stand))
        super().__init__(
            unit.id,
            [model.id for model in unit.models],
            stand,
            [paces(battle, unit, part)],
            room=Standing(battle, unit),
            within=None if whole else self.by_leader,
            outside=LOST,
            names=names,
            spacing=charts().distance("spacing", "between_stands"),
            holds=lambda stand, numbers: None if len(numbers) < len(unit.models) or led(stand) else LOST,
            party=party,
            label=f"{battle.name(unit)} goes there",
            rule=rule,
        )
        self.everywhere = shapely.box(0, 0, battle.table.width, battle.table.height)

    def by_leader(self, form: str, heading: int) -> BaseGeometry:
        """2.2 for those who rush: where enough of those who stay are by the leader, besides who goes with him."""
        voice = charts().distance("spacing", "from_leader")
        leader, *others = (
            self.known[number].at(x, y, self.heading(form, heading, number))
            for number, (x, y) in zip(self.party, self.offsets(form, heading))
        )
        stay = [body for number, body in enumerate(self.known) if number not in self.party]
        missing = len(self.known) // 2 - sum(bodies.gap(leader, body) <= voice + bodies.HAIR for body in others)
        if missing < 1:
            return self.everywhere
        near = covered([bodies.sum_of(body, leader.at(0, 0), voice) for body in stay], missing)
        return affinity.translate(near, -leader.x, -leader.y)


def party_of(battle: Field, unit: Unit) -> list[int]:
    """2.4: the leader and the two stands nearest to him."""
    stand = battle.bodies(unit)
    apart = bodies.gaps(stand[:1], stand)[0]
    return sorted(range(len(stand)), key=lambda number: (number > 0, apart[number]))[:3]


def go(battle: Field, unit: Unit, area: CompanyArea, pose: Pose, how: str) -> Procedure[None]:
    """Bring the stands to where a pose says."""
    yield from moving.go(battle, unit, area, pose, watch=None, moved=battle.invalidate)
    battle.invalidate(unit)
    battle.emit(Went(side=unit.side, unit=unit.id, place=pose.place, how=how, rules=(area.rule,)))


def move(battle: Field, unit: Unit, party: Sequence[int], rule: str) -> Procedure[None]:
    area = CompanyArea(battle, unit, party, rule=rule)
    stay = Option("stay", "Stay", "stay", unit.id, rule="1.1")
    pose = yield from moving.ask_pose(
        unit.side,
        f"{battle.name(unit)}: go where?",
        lambda: [stay, *good_poses(battle, unit, area, WISHES)],
        lambda: area,
        rule=rule,
    )
    if isinstance(pose, Pose):
        yield from go(battle, unit, area, pose, "goes" if len(party) == len(unit.models) else "rushes")
