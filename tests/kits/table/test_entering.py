"""Coming onto the table over an edge."""

from __future__ import annotations

import pytest
import shapely

from grognard.board.table import bodies
from grognard.board.table.placement import FormationArea
from grognard.core.ask import Bar
from grognard.core.poses import read_pose
from grognard.kits.table import entering
from grognard.kits.table.entering import Edge
from grognard.kits.table.ground import footing_for
from grognard.kits.table.riding import Floats
from grognard.kits.table.scenario import EDGES, Placing
from grognard.kits.table.state import ON_TABLE, RESERVE
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.standing import Going
from tests.kits.table.stands.state import Unit
from tests.kits.table.test_ground import battle

COUNTRY, ROOM = charts().distance("paces", "country"), charts().distance("spacing", "from_enemy")
OUTSIDE = Bar("6.1", "it is too far in")


def placing(edge: str, entry: tuple[int, int] | None = None) -> Placing:
    return Placing(id="r1", n=1, kind="company", side="red", edge=edge, entry=entry)


def area_on(field: Field, unit: Unit, edge: Edge, *, narrow: bool) -> FormationArea:
    def over(radius: float, starts: Floats, reach: float) -> object:
        return footing_for(Going(field), unit, starts, radius, reach, placed=True)

    stand = field.bodies(unit)
    ways = entering.ways_on(stand, edge, COUNTRY, over, OUTSIDE, narrow=narrow)
    ids = [model.id for model in unit.models]
    return FormationArea(unit.id, ids, stand, [ways], names=["line", "cluster"], spacing=50, rule="6.1")


def test_the_stretch_is_the_whole_edge_or_a_part_of_it() -> None:
    table = battle().table
    assert entering.edge_of(table, None) == ("bottom", (0, table.height), (table.width, table.height))
    assert entering.edge_of(table, placing("top", (10, 90))) == ("top", (10, 0), (90, 0))
    assert entering.edge_of(table, placing("left", (10, 90))) == ("left", (0, 10), (0, 90))
    assert entering.edge_of(table, placing("right")) == ("right", (table.width, 0), (table.width, table.height))


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("name", EDGES)
def test_who_comes_on_goes_straight_in_and_keeps_off_everything(name: str, narrow: bool) -> None:
    field = battle()
    unit = field.units("red")[0]
    unit.status = RESERVE
    field.invalidate()
    edge = entering.edge_of(field.table, placing(name))
    area = area_on(field, unit, edge, narrow=narrow)
    closed = [field.table.area(piece) for piece in field.table.pieces if field.table.kind(piece).ground == "shut"]
    foes = [body for foe in field.enemies("red") for body in field.bodies(foe)]
    options = list(entering.places_along(area, edge, field.table))
    assert options
    for option in options:
        read = read_pose(option.key)
        assert read is not None and read[1].heading == edge.heading
        course, ends = area.paths(read[1]), area.ends(read[1])
        for number, (start, end) in enumerate(course.values()):
            assert end == ends[number]
            inward = bodies.bearing(*start, *end)
            assert bodies.off(inward, edge.heading) < 1 and shapely.Point(start).distance(edge.line) < 1
            foot = area.known[number].foot
            radius = foot.narrowest if narrow else foot.farthest
            way = shapely.LineString([start, end])
            assert way.length <= COUNTRY + 1
            assert not any(way.distance(shape) < radius - 2 for shape in closed)
            assert not any(way.distance(bodies.shape(foe)) < radius + ROOM - 2 for foe in foes)
    one = read_pose(options[0].key)
    assert one is not None
    paths = area.paths(one[1])
    entering.set_on(unit, paths, edge.heading)
    assert unit.status == ON_TABLE
    assert all((m.x, m.y) == paths[m.id][0] and m.heading == edge.heading for m in unit.models)


def test_the_shadow_of_a_thing_is_all_behind_it() -> None:
    edge = entering.edge_of(battle().table, placing("top"))
    for thing in (shapely.box(100, 50, 200, 80), shapely.LineString([(100, 50), (200, 80)])):
        shadow = edge.behind(thing, 500)
        for y, dark in ((40, False), (81, True), (540, True), (590, False)):
            assert bool(shapely.contains_xy(shadow, 150, y)) is dark
    hook = shapely.union(shapely.box(0, 0, 30, 10), shapely.box(0, 0, 10, 30))
    grown = entering.sums(hook, [(-5, -5), (5, -5), (5, 5), (-5, 5)])
    assert grown.symmetric_difference(hook.buffer(5, join_style="mitre")).area < 0.01


@pytest.mark.parametrize(
    ("edge", "shadow"),
    [
        (Edge("bottom", (0, 4800), (7200, 4800)), (1000, 1700, 1100, 2100)),
        (Edge("top", (0, 0), (7200, 0)), (1000, 2000, 1100, 2400)),
        (Edge("left", (0, 0), (0, 4800)), (1000, 2000, 1400, 2100)),
        (Edge("right", (7200, 0), (7200, 4800)), (700, 2000, 1100, 2100)),
    ],
)
def test_a_thing_shadows_the_ground_straight_behind_it(edge: Edge, shadow: tuple[int, ...]) -> None:
    assert edge.behind(shapely.box(1000, 2000, 1100, 2100), 300).bounds == pytest.approx(shadow, abs=1e-6)
