"""Boards for the tests of sight: a map in a few words, units, and questions about them."""

from __future__ import annotations

from typing import Any

from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.line_of_sight import Sight, look
from grognard.games.ost.sight import counters_now, explain, ground_now, sight, sight_from
from grognard.games.ost.situation import load_situation
from grognard.games.ost.state import Unit
from grognard.kits.hex.sight_report import SightReport
from tests.games.ost.helpers import faced

Units = dict[str, str]


class Board:
    """A battle on a map of its own.

    ``Board({"a": "us_rifle B2", "g": "ger_pz4h D2"}, woods="C2", levels={2: "B2"}, hedge="B2|C2")``:
    terrain and hexsides by their names, units by id as kind, hex and flags.
    """

    HEXSIDES = ("hedge", "stone_wall", "bocage", "row_house_wall")

    def __init__(
        self,
        units: Units | None = None,
        *,
        size: str = "9x9",
        levels: dict[int, str] | None = None,
        buildings: list[dict[str, Any]] | None = None,
        hills: list[dict[str, Any]] | None = None,
        roads: list[str] | None = None,
        smoke: str = "",
        wrecks: str = "",
        works: dict[str, str] | None = None,
        rubble: str = "",
        urban: bool = False,
        **terrain: str,
    ) -> None:
        columns, rows = size.split("x")
        sketch: dict[str, Any] = {"columns": int(columns), "rows": int(rows)}
        sketch["terrain"] = {name: hexes for name, hexes in terrain.items() if name not in self.HEXSIDES}
        sketch["hexsides"] = {name: sides for name, sides in terrain.items() if name in self.HEXSIDES}
        sketch["levels"] = {str(level): hexes for level, hexes in (levels or {}).items()}
        sketch["building"], sketch["hill"] = buildings or [], hills or []
        sketch["road"] = [{"path": path} for path in roads or []]
        placed = []
        for id, text in (units or {}).items():
            kind, hex, *flags = text.split()
            unit: dict[str, Any] = {"id": id, "kind": kind, "hex": hex}
            for flag in flags:
                key, is_, value = flag.partition("=")
                unit[key] = value if is_ else True
            placed.append(faced(unit))
        head = {"sides": ["american", "german"], "map": sketch, "unit": placed, "options": {"urban": urban}}
        scenario, state = load_situation(Document(head, "a board"))
        state.smoke = dict.fromkeys(smoke.split(), 1)
        state.wrecks = dict.fromkeys(wrecks.split(), 1)
        state.rubble = rubble.split()
        self.battle = OstBattle(scenario, state, ScriptedDice([]))
        self.state = state
        for hex, kind in (works or {}).items():
            self.work(hex, kind)

    def work(self, hex: str, kind: str, hidden: bool = False) -> None:
        """Put a fortification in a hex."""
        from grognard.games.ost.state import Work

        self.state.works[hex] = Work(kind, "german", hidden=hidden)

    def __getitem__(self, id: str) -> Unit:
        return self.battle.unit(id)

    def see(self, viewer: str, target: str) -> Sight:
        """The sight between two units by id or two hexes; it must be mutual, and the same when not kept (L-15)."""
        ids = self.state.units
        if viewer in ids:
            there, back = sight(self.battle, self[viewer], self[target]), sight(self.battle, self[target], self[viewer])
        else:
            there, back = sight_from(self.battle, viewer, target), sight_from(self.battle, target, viewer)
        assert (there.clear, len(there.degraded) * there.clear) == (back.clear, len(back.degraded) * back.clear)
        assert there.level_diff == -back.level_diff
        assert bool(there.rule) == bool(there.blocked_by) == (not there.clear)
        return there

    def told(self, viewer: str, target: str) -> SightReport[Sight]:
        """The report on a sight."""
        ends: list[Any] = [self[id] if id in self.state.units else id for id in (viewer, target)]
        return explain(self.battle, *ends)

    def verdict(self, viewer: str, target: str) -> str:
        """A sight in a word or two: "clear", "-1", or what blocks it and by which rule, "D4 41.6"."""
        seen = self.see(viewer, target)
        if not seen.clear:
            return f"{seen.blocked_by} {seen.rule}"
        return f"-{len(seen.degraded)}" if seen.degraded else "clear"

    def unkept(self, viewer: str, target: str) -> Sight:
        """The sight between two hexes by the plain rules alone."""
        ground = ground_now(self.battle)
        ends = ground.default_stance(viewer), ground.default_stance(target)
        return look(ground, *ends, counters_now(self.battle))
