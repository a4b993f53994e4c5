"""Reading a scenario from its file, with all its faults at once, and the state in which it opens."""

from __future__ import annotations

from typing import Any

from grognard.board.table import formations
from grognard.board.table.bodies import Body
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, read_word
from grognard.core.scenario_files import read_head, read_sides
from grognard.kits.table import state as kit
from grognard.kits.table.reading import read_ground
from grognard.kits.table.scenario_file import ForceReader, TableHead, UnitEntry
from tests.kits.table.stands.battle import KINDS, foot_of
from tests.kits.table.stands.charts import FOLDER, MEASURE, charts
from tests.kits.table.stands.state import Company, Scenario, State, Unit

BLANK = {"width": 150, "height": 100}
MOST_TURNS = 20


class CompanyEntry(UnitEntry, kw_only=True):
    """A company of a file."""

    stands: int = 6


class Forces(ForceReader[CompanyEntry, str, Company]):
    """Reads both sides."""

    entry_type = CompanyEntry

    def kind_of(self, path: FilePath, entry: CompanyEntry) -> str | None:
        known = read_word(self.doc, (*path, "kind"), "unit", entry.kind, KINDS)
        return entry.kind if known else None

    def title(self, kind: str) -> str:
        return KINDS[kind]

    def placing(self, record: CompanyEntry, kind: str, /, **known: Any) -> Company:
        return Company(kind=kind, stands=record.stands, **known)


def load_scenario(doc: Document) -> Scenario:
    """A scenario from its file; all of the file's faults are raised together."""
    head = read_head(doc, TableHead, FOLDER.name, MOST_TURNS, table=BLANK)
    sides, names = read_sides(doc, head.side)
    table = read_ground(doc, head.table, head.terrain, charts().kinds, MEASURE, BLANK)
    forces = Forces(doc, table, names, head.turns, {}, {})
    forces.read(sides)
    forces.check_head(head)
    scenario = Scenario(**forces.scenario_fields(head))
    doc.check()
    return scenario


def begin(scenario: Scenario) -> State:
    """Every company stands in a cluster where the scenario puts it."""
    units = {}
    for each in scenario.units:
        assert each.at is not None
        ids = [f"t{n + 1}" for n in range(each.stands)]
        stand = [Body(*each.at, each.heading, foot_of(id)) for id in ids]
        spacing = charts().distance("spacing", "between_stands")
        places = formations.lay_out(formations.CLUSTER, stand, *each.at, each.heading, spacing)
        models = [kit.Model(id, *at, each.heading) for id, at in zip(ids, places)]
        units[each.id] = Unit(each.id, each.n, each.kind, each.side, models, each.stands, kit.ON_TABLE)
    return State(units, turn=1, side=scenario.sides[0])
