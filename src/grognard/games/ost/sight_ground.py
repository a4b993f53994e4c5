"""What sight meets where: hexes, hexsides and counters, and the stance of who looks (35, 46, 55, 57.6, 60.1-60.6).

Levels are counted in *steps* here: -1, 1, 2, 3 become 0, 1, 2, 3, for there is no level 0 (60.1, L-7).
"""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache
from typing import NamedTuple

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.features import ROW_HOUSE_WALL
from grognard.board.hex.grid import HexGrid
from grognard.board.hex.trace import Outline
from grognard.games.ost.charts import OstCharts

NONE, DEGRADES, BLOCKS = 0, 1, 2
EFFECTS = ("none", "degrade", "block")

#: Who looks, or is looked at: on foot outside a structure, in a structure, a vehicle or aboard one,
#: and on the road of a road and structure hex, on foot or not (57.6).
OUTSIDE, INSIDE, MOUNTED, ON_ROAD, MOUNTED_ON_ROAD = range(5)
ROAD_STANCES = (ON_ROAD, MOUNTED_ON_ROAD)
FOOT_OUTSIDE = (OUTSIDE, ON_ROAD)

#: The step of ground level (60.2), and of the bottom of a depression (60.5).
GROUND_STEP, DEPRESSION = 1, 0


def step(level: int) -> int:
    """A map level as a step: -1 and 1 are neighbours (60.1)."""
    return level if level > 0 else level + 1


class Site(NamedTuple):
    """What sight meets in a hex.

    ``stand`` is the step on which its terrain stands: the ground, or the top storey of a multi-level
    structure, whose hex is marked with that level like a hill (55.1, 60.3).
    """

    ground: int
    stand: int
    los: int
    rule: str
    what: str
    multi: bool = False
    structure: bool = False
    building: str = ""
    outlines: tuple[Outline, ...] = ()
    hill_edges: tuple[Outline, ...] = ()
    beside_structure: int = NONE
    hill_missed: bool = False

    def past_structure(self) -> Site:
        """The hex for a line that misses the structure drawn in it (53.4, 59.7)."""
        return self._replace(stand=self.ground, los=self.beside_structure, rule="59.7", multi=False, structure=False)

    def past_hill(self) -> Site:
        """The hex for a line that misses the hill drawn in it (49.11, 59.8)."""
        return self._replace(hill_missed=True)


class Edge(NamedTuple):
    """What sight meets on a hexside: terrain that stands on the higher of its two hexes."""

    hexes: tuple[str, str]
    ground: int
    los: int
    rule: str
    what: str
    row_house_wall: bool = False


class Stance(NamedTuple):
    """One end of a line: the hex, the step, and one of OUTSIDE, INSIDE, MOUNTED and so on."""

    hex: str
    step: int
    kind: int


class Counters(NamedTuple):
    """Where counters lie that degrade: Smoke at all levels (33.7); wrecks and roadblocks of height 1 (60.6)."""

    smoke: Container[str]
    wrecks: Container[str]
    roadblocks: Container[str]


class Ground:
    """The ground of a battlefield as it is now: what each hex and hexside does to sight."""

    def __init__(self, field: Battlefield, charts: OstCharts, urban: bool, rubble: frozenset[str]) -> None:
        assert field.grid is not None
        self.field, self.charts, self.urban, self.rubble = field, charts, urban, rubble
        self.grid: HexGrid = field.grid
        self.most: int = charts["los"]["degrade_max"]
        self.inside_reach: int = charts["los"]["inside_multi_hex_structure"]
        self.sites = {hex: self._site(hex) for hex in self.grid.hexes}
        self.edges = {side: self._edge(side, name) for side, name in field.hexsides.items()}
        self.bocage = any(edge.los == BLOCKS and not edge.row_house_wall for edge in self.edges.values())

    def _site(self, hex: str) -> Site:
        field = self.field
        level = step(field.level[hex])
        name = "rubble" if hex in self.rubble else field.terrain[hex]
        terrain = self.charts.terrain[name]
        rule: str = self.charts["terrain"][name].get("los_rule", terrain.rule)
        hills = tuple(field.hill_edges.get(hex, ()))
        los = EFFECTS.index(terrain.los)
        if not terrain.structure:
            return Site(level, level, los, rule, name, hill_edges=hills)
        storeys = field.building_level.get(hex, 1)
        multi = storeys > 1
        return Site(
            ground=level,
            stand=max(level, storeys) if multi else level,
            los=los,
            rule=rule,
            what=name,
            multi=multi,
            structure=True,
            building=field.building.get(hex, ""),
            outlines=tuple(field.outlines.get(hex, ())),
            hill_edges=hills,
            beside_structure=EFFECTS.index(terrain.los_outside_outline),
        )

    def _edge(self, side: str, name: str) -> Edge:
        a, b = self.grid.side_hexes(side)
        kind = self.charts.hexside[name]
        rule: str = self.charts["hexside"][name].get("los_rule", kind.rule)
        wall = name == ROW_HOUSE_WALL
        one, two = self.sites[a], self.sites[b]
        # The wall of a row house is as high as the house.
        base = max(one.stand, two.stand) if wall else max(one.ground, two.ground)
        return Edge((a, b), base, EFFECTS.index(kind.los), rule, name, wall)

    def default_stance(self, hex: str) -> Stance:
        """A foot unit in a hex: in its structure, at the top (55.4), or in the open."""
        site = self.sites[hex]
        return Stance(hex, site.stand, INSIDE if site.structure else OUTSIDE)


@lru_cache(maxsize=64)
def ground_of(field: Battlefield, charts: OstCharts, urban: bool, rubble: frozenset[str]) -> Ground:
    """The ground, shared by all battles on the same map with the same rubble."""
    return Ground(field, charts, urban, rubble)
