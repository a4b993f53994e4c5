"""Positions set by hand on a table: the ground, both sides, ids and what the scenario has of the file."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import pytest

from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.core.read_tables import read_whole
from grognard.kits.table.situation import SituationHead, TableSituation
from tests.kits.table.stands.charts import MEASURE, charts
from tests.kits.table.stands.scenario_file import BLANK
from tests.kits.table.stands.state import Scenario


class Troop(NamedTuple):
    nation: str


class Entry(msgspec.Struct, kw_only=True):
    kind: str
    id: str = ""
    side: str = ""


ROSTER = {"rifles": Troop("american"), "guards": Troop("german")}
BOTH = '[[unit]]\nkind = "rifles"\n[[unit]]\nkind = "guards"\n'


def read(text: str) -> TableSituation[SituationHead]:
    doc = Document.from_toml(text, "position.toml")
    head = read_whole(doc, SituationHead)
    titles, letters = {"american": "The Americans"}, {"american": "y"}
    return TableSituation(doc, head, Entry, ROSTER, titles, letters, charts().kinds, MEASURE, BLANK)


def test_without_a_table_the_ground_is_bare() -> None:
    assert (read(BOTH).table.width, read(BOTH).table.height) == (15000, 10000)
    small = read(f"{BOTH}[table]\nsize = [60, 40]\n")
    assert (small.table.width, small.table.height) == (6000, 4000)


def test_a_scenario_has_what_the_file_says() -> None:
    objective = '[[objective]]\nid = "well"\nat = [30, 20]\n'
    reader = read(f'title = "A skirmish"\nnations = {{ german = "soviet" }}\n{BOTH}{objective}')
    scenario = Scenario(**reader.scenario_fields())
    assert not reader.doc.faults and scenario.title == "A skirmish" and scenario.table is reader.table
    assert scenario.sides == ("american", "german")
    assert scenario.titles == {"american": "The Americans", "german": "German"}
    assert scenario.nations == {"american": "american", "german": "soviet"}
    assert [(each.id, each.x, each.y) for each in scenario.objectives] == [("well", 3000, 2000)]


def test_ids_begin_with_the_letter_of_the_nation_and_are_numbered() -> None:
    reader = read(BOTH + '[[unit]]\nkind = "rifles"\nid = "y1"\n')
    ids = [reader.next_id(path, record, ROSTER[record.kind].nation) for path, record in reader.tables]
    assert ids == ["y2", "g1", "y1"] and not reader.doc.faults


def test_a_unit_of_a_side_that_there_is_not_has_that_sides_letter() -> None:
    reader = read(BOTH)
    assert reader.next_id(("unit", 0), reader.tables[0][1], "french") == "f1"


def test_a_file_that_is_no_table_is_refused() -> None:
    with pytest.raises(MalformedError, match="instead of a table"):
        read_whole(Document.from_json("[]", "position.json"), SituationHead)
