"""The sight between all hexes of a map at once, for foot units as they would stand there.

In axial coordinates what a line meets depends only on the displacement between its ends, so each pattern is
laid on all origins together. What a hex or hexside does is looked up in tables, one row for each way in which
`obstacles` tells it apart (the levels of the ends, and whether it lies next to one of them); the rows are
filled by the plain rules themselves. Degrading counts 1 and blocking 3, so that any sum above 2 is blocked.
Where the answer hangs on a drawn outline, or on being inside one building, the plain rule is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.grid import Axial
from grognard.board.hex.trace import Pattern, pattern
from grognard.games.ost.charts import OstCharts
from grognard.games.ost.line_of_sight import look
from grognard.games.ost.obstacles import Levels, hex_effect, in_multi_level, side_effect
from grognard.games.ost.optional_rules import OptionalRules
from grognard.games.ost.sight_ground import BLOCKS, DEPRESSION, GROUND_STEP, INSIDE, NONE, Edge, Ground, Site, ground_of
from grognard.kits.hex.looks import BLOCKED, Pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Places = NDArray[np.intp]

#: What the plain rule must be asked about weighs more than any sum without it.
ASK = 1 << 16

#: The layer of a hexside by the step from the first of its hexes to the second, these in order.
LAYERS: dict[Axial, int] = {(0, 1): 0, (1, -1): 1, (1, 0): 2}


def all_pairs(battlefield: Battlefield, charts: OstCharts, options: OptionalRules, rubble: Iterable[str] = ()) -> Pairs:
    """The static verdict for every pair of hexes of a map."""
    return pairs_of(ground_of(battlefield, charts, options.urban, frozenset(rubble)))


def pairs_of(ground: Ground) -> Pairs:
    """The static verdict for every pair of hexes of a ground."""
    return _Survey(ground).survey()


class _Class(NamedTuple):
    """What the rules know of an end: hexes of one class share every row."""

    step: int
    ground: int
    inside: bool
    multi: bool


class _Survey:
    """The tables of one ground, and the verdicts as they are worked out."""

    def __init__(self, ground: Ground) -> None:
        import numpy as np

        self.np, self.ground, self.grid = np, ground, ground.grid
        axials = [self.grid.axials[hex] for hex in self.grid.hexes]
        q0, r0 = min(q for q, _ in axials) - 1, min(r for _, r in axials) - 1
        q1, r1 = max(q for q, _ in axials) + 1, max(r for _, r in axials) + 1
        #: Hexes lie in a box with a rim, flattened: a step in it is always the same number.
        self.width, self.size = r1 - r0 + 1, (q1 - q0 + 1) * (r1 - r0 + 1)
        self.place: Places = np.array([(q - q0) * self.width + r - r0 for q, r in axials], dtype=np.intp)
        self.numbers: Places = np.full((q1 - q0 + 1, self.width), -1, dtype=np.intp)
        self.numbers.ravel()[self.place] = np.arange(len(axials))
        self.verdict = np.zeros((len(axials), len(axials)), dtype=np.int8)
        self._classify()
        self._profile()
        self.hex_rows = _Rows(self._hex_row)
        self.side_rows = _Rows(self._side_row)
        self._choose_rows()

    # what each end and each hex is

    def _classify(self) -> None:
        ground = self.ground
        classes: dict[_Class, int] = {}
        numbers = []
        for hex in self.grid.hexes:
            stance = ground.default_stance(hex)
            multi = in_multi_level(ground, stance)
            found = _Class(stance.step, ground.sites[hex].ground, stance.kind == INSIDE, multi)
            numbers.append(classes.setdefault(found, len(classes)))
        self.classes = list(classes)
        self.class_of: Places = self.np.array(numbers, dtype=self.np.intp)

    def _profile(self) -> None:
        # Hexes that sight cannot tell apart share a profile, so that the rules are asked once for all of them.
        sites: dict[Site, int] = {}
        at = [sites.setdefault(site._replace(building=""), len(sites)) for site in self.ground.sites.values()]
        self.sites = [_variants(site) for site in sites]
        self.site_at: Places = self.np.array(at, dtype=self.np.intp)
        edges: dict[Edge, int] = {}
        at, places = [], []
        for edge in self.ground.edges.values():
            (q, r), (q1, r1) = sorted(self.grid.axials[hex] for hex in edge.hexes)
            at.append(edges.setdefault(edge._replace(hexes=("", "")), len(edges)))
            first = self.place[self.grid.index[self.grid.by_axial[q, r]]]
            places.append(LAYERS[q1 - q, r1 - r] * self.size + int(first))
        self.edges = list(edges)
        self.edge_at: Places = self.np.array(at, dtype=self.np.intp)
        self.edge_places: Places = self.np.array(places, dtype=self.np.intp)
        self.blocking_edges = any(edge.los == BLOCKS for edge in edges)

    # tables

    def _hex_row(self, key: tuple[int, ...]) -> Ints:
        """What every hex does to lines of some levels, next to either end or to none."""
        high, low, over_roofs, near_high, near_low = key
        levels, urban = Levels(high, low, False, bool(over_roofs)), self.ground.urban
        values = []
        for variants in self.sites:
            kinds = {hex_effect(site, levels, bool(near_high), bool(near_low), urban).kind for site in variants}
            values.append(_weight(kinds.pop()) if len(kinds) == 1 else ASK)
        row = self.np.zeros(self.size, dtype=self.np.int32)
        row[self.place] = self.np.array(values, dtype=self.np.int32)[self.site_at]
        return row

    def _side_row(self, key: tuple[int, ...]) -> Ints:
        """What every hexside does to lines of some levels, of either end's hex or of none."""
        high, low, over_roofs, at_high, at_low, opened = key
        levels = Levels(high, low, False, bool(over_roofs))
        row = self.np.zeros(3 * self.size, dtype=self.np.int32)
        if self.edges:
            flags = (bool(at_high), bool(at_low), bool(opened))
            values = [_weight(side_effect(edge, levels, *flags).kind) for edge in self.edges]
            row[self.edge_places] = self.np.array(values, dtype=self.np.int32)[self.edge_at]
        return row

    def _choose_rows(self) -> None:
        """For each pair of classes: the rows of hexes and hexsides in the middle and next to either end."""
        first, last, middle, forbidden = [], [], [], []
        side: list[int] = []
        own: tuple[list[int], list[int]] = ([], [])
        hexes, sides = self.hex_rows.number, self.side_rows.number
        for a in self.classes:
            for b in self.classes:
                high, low = max(a.step, b.step), min(a.step, b.step)
                key = (high, low, self.ground.urban and a.multi and b.multi)
                a_high, b_high = a.step > low, b.step > low
                middle.append(hexes((*key, False, False)))
                first.append(hexes((*key, a_high, b_high)))
                last.append(hexes((*key, b_high, a_high)))
                # 60.18: no hex above level 1 forms the edge of a depression.
                deep = low == DEPRESSION and max(a.ground, b.ground) > GROUND_STEP
                forbidden.append(_weight(BLOCKS if deep else NONE))
                side.append(sides((*key, False, False, False)))
                # Bocage lets a foot unit beside it see, if it is not inside a structure (47.3, 47.4).
                own[0].append(sides((*key, not b_high, b_high, not a.inside)))
                own[1].append(sides((*key, b_high, not b_high, not b.inside)))
        np = self.np
        self.middle = np.array(middle, dtype=np.intp) * self.size
        self.first = np.array(first, dtype=np.intp) * self.size
        self.last = np.array(last, dtype=np.intp) * self.size
        self.forbidden = np.array(forbidden, dtype=np.int32)
        self.side = np.array(side, dtype=np.intp) * 3 * self.size
        self.own = [np.array(rows, dtype=np.intp) * 3 * self.size for rows in own]
        self.hex_table, self.side_table = self.hex_rows.table(), self.side_rows.table()

    # verdicts

    def survey(self) -> Pairs:
        columns, rows = self.numbers.shape
        for dq in range(columns):
            for dr in range(-rows + 1 if dq else 1, rows):
                # All origins with a hex there, as two windows on the box.
                up, down = max(0, -dr), max(0, dr)
                here = self.numbers[: columns - dq, up : rows - down]
                there = self.numbers[dq:, down : rows - up]
                both = (here >= 0) & (there >= 0)
                if both.any():
                    self._displacement(dq, dr, here[both], there[both])
        self._ask_inside()
        return Pairs(self.grid, self.verdict)

    def _displacement(self, dq: int, dr: int, here: Places, there: Places) -> None:
        met = pattern(dq, dr)
        if not met.steps:
            self._adjacent(here, there)
            return
        pair = self.class_of[here] * len(self.classes) + self.class_of[there]
        place = self.place[here]
        total = self.forbidden[pair] + self._hexes(met, pair, place)
        if self.edges:
            total += self._sides(met, (dq, dr), pair, place)
        verdict = total.astype(self.np.int8)
        verdict[total > 2] = BLOCKED
        self._set(here, there, verdict)
        if total.max() >= ASK:
            ask = (total >= ASK) & (total % ASK <= 2)
            self._ask(here[ask], there[ask])

    def _set(self, here: Places, there: Places, verdict: NDArray[np.int8]) -> None:
        self.verdict[here, there] = verdict
        self.verdict[there, here] = verdict

    def _offset(self, axial: Axial) -> int:
        return axial[0] * self.width + axial[1]

    def _hexes(self, met: Pattern, pair: Places, place: Places) -> Ints:
        """The hexes: those next to the ends by their own rows, of two on a spine the worse."""
        np, table = self.np, self.hex_table
        first, last, middle = self.first[pair] + place, self.last[pair] + place, self.middle[pair] + place

        def worst(rows: list[Places], step: tuple[Axial, ...]) -> Ints:
            found = [table[row + self._offset(axial)] for row in rows for axial in step]
            return found[0] if len(found) == 1 else np.maximum.reduce(found)

        steps = met.steps
        if len(steps) == 1:
            return worst([first, last], steps[0])
        total = worst([first], steps[0]) + worst([last], steps[-1])
        singles = [self._offset(step[0]) for step in steps[1:-1] if len(step) == 1]
        if singles:
            total += _sum(table, middle, singles)
        for step in steps[1:-1]:
            if len(step) == 2:
                total += worst([middle], step)
        return total

    def _sides(self, met: Pattern, end: Axial, pair: Places, place: Places) -> Ints:
        """The hexsides: each for itself, but those that meet at one vertex once together."""
        np, table = self.np, self.side_table
        total: Ints = np.zeros(len(place), dtype=np.int32)
        between = self.side[pair] + place
        singles = []
        for kind, hexsides in met.sides:
            found = []
            for first, second in hexsides:
                offset = LAYERS[second[0] - first[0], second[1] - first[1]] * self.size + self._offset(first)
                if (0, 0) in (first, second) or end in (first, second):
                    if self.blocking_edges:
                        own = self.own[0 if (0, 0) in (first, second) else 1]
                        found.append(table[own[pair] + place + offset])
                elif kind == "vertex":
                    found.append(table[between + offset])
                else:
                    singles.append(offset)
            if found:
                total += found[0] if len(found) == 1 else np.maximum.reduce(found)
        if singles:
            total += _sum(table, between, singles)
        return total

    # where the plain rule is asked

    def _ask(self, here: Places, there: Places) -> None:
        for a, b in zip(here.tolist(), there.tolist()):
            viewer, target = self.grid.hexes[a], self.grid.hexes[b]
            seen = look(self.ground, self.ground.default_stance(viewer), self.ground.default_stance(target))
            self.verdict[a, b] = self.verdict[b, a] = len(seen.degraded) if seen.clear else BLOCKED

    def _adjacent(self, here: Places, there: Places) -> None:
        """Nothing lies between adjacent hexes but their hexside (L-7)."""
        hexes, edges = self.grid.hexes, self.ground.edges
        for a, b in zip(here.tolist(), there.tolist()) if self.blocking_edges else ():
            if self.grid.hexside(hexes[a], hexes[b]) in edges:
                self._ask(self.np.array([a]), self.np.array([b]))

    def _ask_inside(self) -> None:
        """Pairs inside one building are ruled by 55.6."""
        buildings: dict[str, list[int]] = {}
        for hex, site in self.ground.sites.items():
            if site.building:
                buildings.setdefault(site.building, []).append(self.grid.index[hex])
        for numbers in buildings.values():
            pairs = [(a, b) for i, a in enumerate(numbers) for b in numbers[i + 1 :]]
            self._ask(self.np.array([a for a, _ in pairs]), self.np.array([b for _, b in pairs]))


class _Rows:
    """The rows of a table, each filled when it is first wanted."""

    def __init__(self, fill: Callable[[tuple[int, ...]], Ints]) -> None:
        self.fill = fill
        self.numbers: dict[tuple[int, ...], int] = {}
        self.filled: list[Ints] = []

    def number(self, key: tuple[int, ...]) -> int:
        """The number of a row."""
        if key not in self.numbers:
            self.numbers[key] = len(self.filled)
            self.filled.append(self.fill(key))
        return self.numbers[key]

    def table(self) -> Ints:
        """All rows in one."""
        import numpy as np

        return np.concatenate(self.filled)


def _weight(kind: int) -> int:
    return 3 if kind == BLOCKS else kind


def _variants(site: Site) -> list[Site]:
    """A hex as lines may meet it: through the outlines drawn in it, or past them."""
    found = [site]
    if site.outlines:
        found.append(site.past_structure())
    if site.hill_edges:
        found += [each.past_hill() for each in found]
    return found


def _sum(table: Ints, base: Places, offsets: list[int]) -> Ints:
    """The sum over places that lie at the same offsets from each base."""
    import numpy as np

    found: Ints = table.take(base + np.array(offsets, dtype=np.intp)[:, None]).sum(axis=0, dtype=np.int32)
    return found
