"""The sight of a whole map at once agrees with the plain rules, and the plain rules are mutual (L-15)."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.grid import HexGrid, hex_grid
from grognard.core.files import Document
from grognard.games.ost import sight_bulk
from grognard.games.ost.charts import charts
from grognard.games.ost.line_of_sight import Sight, look
from grognard.games.ost.optional_rules import OptionalRules
from grognard.games.ost.sight_bulk import all_pairs
from grognard.games.ost.sight_ground import (
    INSIDE,
    MOUNTED,
    MOUNTED_ON_ROAD,
    ON_ROAD,
    OUTSIDE,
    Counters,
    Ground,
    Stance,
    ground_of,
)
from grognard.kits.hex.looks import BLOCKED

TERRAIN = ("open",) * 12 + (
    "brush",
    "woods",
    "orchard",
    "cemetery",
    "wheatfield",
    "stream",
    "debris",
    "rubble",
    "light_structure",
    "heavy_structure",
)
LEVELS = (1,) * 10 + (2, 2, 3, -1, -1)
HEXSIDES = ("hedge", "hedge", "stone_wall", "bocage", "row_house_wall")
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def battlefields(draw: st.DrawFn) -> Battlefield:
    """A small map with something of everything: levels, hexsides, buildings, outlines, roads."""
    layout, shove = draw(st.sampled_from(["flat", "pointy"])), draw(st.sampled_from(["even", "odd"]))
    grid: HexGrid = hex_grid(6, 6, layout, "A1", shove)
    number = len(grid.hexes)
    sketch: dict[str, Any] = {"columns": 6, "rows": 6, "layout": layout, "shove": shove}
    words = draw(st.lists(st.sampled_from(TERRAIN), min_size=number, max_size=number))
    sketch["terrain"] = _by_word(words, grid.hexes)
    if draw(st.booleans()):
        levels = draw(st.lists(st.sampled_from(LEVELS), min_size=number, max_size=number))
        sketch["levels"] = {str(level): hexes for level, hexes in _by_word(levels, grid.hexes).items()}
    sides = sorted({grid.hexside(hex, other) for hex in grid.hexes for other in grid.adjacent[hex]})
    chosen = draw(st.lists(st.sampled_from(sides), max_size=24, unique=True))
    kinds = draw(st.lists(st.sampled_from(HEXSIDES), min_size=len(chosen), max_size=len(chosen)))
    sketch["hexsides"] = _by_word(kinds, chosen)
    sketch["building"] = [
        _building(draw, grid, hex) for hex in draw(st.lists(st.sampled_from(grid.hexes), max_size=5, unique=True))
    ]
    sketch["hill"] = [
        {"hexes": hex, "outline": _square(draw)}
        for hex in draw(st.lists(st.sampled_from(grid.hexes), max_size=4, unique=True))
    ]
    sketch["road"] = [{"path": f"{grid.hexes[0]}:{grid.hexes[-1]}"}, {"path": f"{grid.hexes[5]}:{grid.hexes[-6]}"}]
    doc = Document({}, "a map")
    return Battlefield.from_sketch(sketch, doc)


def _by_word(words: list[Any], places: Any) -> dict[Any, str]:
    found: dict[Any, list[str]] = {}
    for word, place in zip(words, places):
        found.setdefault(word, []).append(place)
    return {word: ", ".join(these) for word, these in found.items()}


def _square(draw: st.DrawFn) -> list[list[float]]:
    x, y = (draw(st.sampled_from([-0.3, -0.1, 0.0, 0.2])) for _ in range(2))
    half = draw(st.sampled_from([0.05, 0.15, 0.4]))
    return [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]


def _building(draw: st.DrawFn, grid: HexGrid, hex: str) -> dict[str, Any]:
    building: dict[str, Any] = {"terrain": draw(st.sampled_from(["light_structure", "heavy_structure"]))}
    building["level"] = draw(st.sampled_from([1, 2, 3]))
    if draw(st.booleans()):
        building["hexes"] = ", ".join([hex, *grid.adjacent[hex][: draw(st.integers(1, 3))]])
    else:
        building["hexes"] = hex
        if draw(st.booleans()):
            building["outline"] = _square(draw)
    return building


def verdict(seen: Sight) -> int:
    return len(seen.degraded) if seen.clear else BLOCKED


@QUICK
@given(battlefields(), st.booleans(), st.data())
def test_all_pairs_agree_with_the_plain_rules(field: Battlefield, urban: bool, data: st.DataObject) -> None:
    standing = sorted(field.building)
    fallen = data.draw(st.lists(st.sampled_from(standing), max_size=3, unique=True)) if standing else []
    pairs = all_pairs(field, charts(), OptionalRules(urban=urban), fallen)
    ground = ground_of(field, charts(), urban, frozenset(fallen))
    for a in ground.grid.hexes:
        for b in ground.grid.hexes:
            seen = look(ground, ground.default_stance(a), ground.default_stance(b))
            assert pairs.degradations(a, b) == verdict(seen), (a, b, seen)


def test_the_answers_of_all_pairs() -> None:
    doc = Document({}, "a map")
    sketch = {"columns": 5, "rows": 8, "terrain": {"woods": "B3", "brush": "D3, D4"}}
    pairs = all_pairs(Battlefield.from_sketch(sketch, doc), charts(), OptionalRules())
    assert pairs.clear("D2", "D6")
    assert pairs.degradations("D2", "D6") == 2
    assert not pairs.clear("B2", "B5")
    assert pairs.degradations("B2", "B5") == BLOCKED
    assert pairs.degradations("B2", "B2") == 0
    seen = pairs.seen_from("B2")
    assert "B3" in seen
    assert "B4" not in seen
    assert list(seen) == [hex for hex in pairs.grid.hexes if pairs.clear("B2", hex)]
    assert all(degraded == pairs.degradations("B2", hex) for hex, degraded in seen.items())
    assert pairs.verdict.shape == (40, 40)
    assert (pairs.verdict == pairs.verdict.T).all()


def test_outlines_off_the_line_do_not_call_for_the_plain_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only lines whose answer hangs on a drawing are worked out one by one."""
    asked: list[tuple[str, str]] = []

    def spy(ground: Ground, viewer: Stance, target: Stance) -> Sight:
        asked.append((viewer.hex, target.hex))
        return look(ground, viewer, target)

    monkeypatch.setattr(sight_bulk, "look", spy)
    corner = [[-0.45, -0.3], [-0.25, -0.3], [-0.25, -0.2]]
    sketch: dict[str, Any] = {"columns": 8, "rows": 8}
    sketch["building"] = [{"terrain": "heavy_structure", "hexes": "D4", "outline": corner}]
    field = Battlefield.from_sketch(sketch, Document({}, "a map"))
    pairs = all_pairs(field, charts(), OptionalRules())
    ground = ground_of(field, charts(), False, frozenset())
    assert asked
    for a, b in asked:
        steps = look(ground, ground.default_stance(a), ground.default_stance(b)).crossed
        assert any("D4" in step for step in steps)
    assert pairs.degradations("D3", "D6") == 1


def test_numpy_is_not_needed_to_play() -> None:
    code = "import sys, grognard.games.ost.sight, grognard.games.ost.sight_bulk; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---- mutual sight ----------------------------------------------------------------------------------


def stances(ground: Ground, hex: str) -> list[Stance]:
    """Every way in which a unit can stand in a hex."""
    site = ground.sites[hex]
    found = [Stance(hex, site.ground, OUTSIDE), Stance(hex, site.ground, MOUNTED)]
    if site.structure:
        found = [Stance(hex, site.stand, INSIDE), Stance(hex, site.ground, INSIDE)]
        if ground.field.roads[hex]:
            found += [Stance(hex, site.ground, ON_ROAD), Stance(hex, site.ground, MOUNTED_ON_ROAD)]
    return found


@QUICK
@given(battlefields(), st.booleans(), st.data())
def test_sight_is_mutual(field: Battlefield, urban: bool, data: st.DataObject) -> None:
    ground = ground_of(field, charts(), urban, frozenset())
    some = st.lists(st.sampled_from(ground.grid.hexes), max_size=4)
    counters = Counters(data.draw(some), data.draw(some), data.draw(some))
    viewers = data.draw(st.lists(st.sampled_from(ground.grid.hexes), min_size=4, max_size=4, unique=True))
    for a in viewers:
        for b in ground.grid.hexes:
            for viewer in stances(ground, a):
                for target in stances(ground, b):
                    there, back = look(ground, viewer, target, counters), look(ground, target, viewer, counters)
                    assert verdict(there) == verdict(back), (viewer, target, there, back)
                    assert there.level_diff == -back.level_diff
                    assert there.behind == back.behind or not there.clear
                    assert bool(there.rule) == bool(there.blocked_by) == (not there.clear)
                    assert len(there.degraded) <= 2


@QUICK
@given(battlefields(), st.data())
def test_counters_never_help(field: Battlefield, data: st.DataObject) -> None:
    """More on the board never makes sight better, and smoke costs one degradation at most for each hex."""
    ground = ground_of(field, charts(), False, frozenset())
    hexes = st.sampled_from(ground.grid.hexes)
    smoke = data.draw(st.lists(hexes, max_size=4, unique=True))
    for a in data.draw(st.lists(hexes, min_size=3, max_size=3)):
        for b in ground.grid.hexes:
            ends = ground.default_stance(a), ground.default_stance(b)
            bare, smoky = look(ground, *ends), look(ground, *ends, Counters(smoke, (), ()))
            if not bare.clear:
                assert smoky == bare
                continue
            in_the_way = sum(any(hex in smoke for hex in step) for step in bare.crossed)
            worst = len(bare.degraded) + in_the_way
            if smoky.clear:
                assert len(bare.degraded) <= len(smoky.degraded) <= worst
            else:
                assert (smoky.rule, worst > 2) == ("59.2", True)
