"""Tables of two dice read as tens and units: read from a file, thrown by every kind of dice, and shown."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import pytest

from grognard.core.bands import ROLLS, BandChart, Bands, Ranges, reaches, tens_and_units
from grognard.core.chart_views import Heading, chart_views
from grognard.core.charts import Charts
from grognard.core.dice import BranchingDice, FairDice, ScriptedDice, meanings, weigh, worth
from grognard.core.dice_words import readings
from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.core.sixths import say_sixths, sixths

FILE = """\
[fire]
provenance = "reconstructed"

[fire.table]
rulebook_points = [4]

[[fire.table.column]]
lo = 1
hi = 3
bands = [{ from = 11, to = 56, result = "NE" }, { from = 61, to = 66, result = "M" }]

[[fire.table.column]]
lo = 4
hi = 9
bands = [
  { from = 11, to = 26, result = "NE" },
  { from = 31, to = 65, result = "M" },
  { from = 66, to = 66, result = "1" },
]

[[fire.table.column]]
lo = 10
hi = 999
bands = [{ from = 11, to = 11, result = "M" }, { from = 12, to = 66, result = "1" }]

[morale]
provenance = "reconstructed"
total_1 = [{ from = 11, to = 52, result = "OK" }, { from = 53, to = 66, result = "S" }]
total_2 = [{ from = 11, to = 16, result = "OK" }, { from = 21, to = 66, result = "S" }]

[shift.range]
provenance = "published"
table = [{ min = 0, max = 1, shift = 2 }, { min = 2, max = 6, shift = 0 }, { min = 7, max = 999, shift = -1 }]

[barrage]
provenance = "rulebook"
table = [{ max = 80, good = 16 }, { max = 100, good = 20 }]

[kill]
provenance = "rulebook"
columns = [-1, 0]
net_m1 = [[62, 0, 0], [56, 65, 0]]
net_p0 = [[55, 0, 0], [53, 65, 65]]

[adjustment]
provenance = "published"
ranges = [{ min = 0, max = 6, key = "close" }, { min = 7, max = 999, key = "far" }]
us_close = [{ from = 11, to = 12, result = "N" }, { from = 13, to = 66, result = "G" }]
us_far = [{ from = 11, to = 16, result = "N" }, { from = 21, to = 66, result = "G" }]

[cost]
provenance = "rulebook"
scenario_keys = ["wheeled"]
foot = "1/2"
tracked = "1/3"
wheeled = "2"
"""
EFFECTS, NERVE = ("NE", "M", "1"), ("OK", "S")


class ToyCharts(Charts):
    """A game's charts of bands, ranges and costs in sixths."""

    folder: ClassVar[Path]

    def __init__(self, tables: dict[str, Any], user_tables: list[str]) -> None:
        super().__init__(tables, user_tables)
        self.fire, self.morale, self.range = self.of_tables(tables, Document(tables, "charts.toml"))
        self.road = sixths(tables["cost"]["tracked"])

    @staticmethod
    def of_tables(tables: dict[str, Any], doc: Document) -> tuple[Any, Any, Any]:
        return (
            BandChart.read(doc, ("fire", "table"), tables["fire"]["table"], EFFECTS),
            BandChart.read(doc, ("morale",), tables["morale"], NERVE),
            Ranges.read(doc, ("shift", "range", "table"), tables["shift"]["range"]["table"], ["shift"]),
        )

    @classmethod
    def check(cls, tables: dict[str, Any], theirs: Document) -> None:
        cls.of_tables(tables, theirs)


@pytest.fixture
def charts(tmp_path: Path) -> type[ToyCharts]:
    (tmp_path / "charts.toml").write_text(FILE, encoding="utf-8")

    class Here(ToyCharts):
        folder = tmp_path

    return Here


@pytest.fixture
def ours(charts: type[ToyCharts]) -> ToyCharts:
    return charts.read(Document.from_toml("", "none.toml"))


def test_thirty_six_rolls_and_none_between_sixteen_and_twenty_one() -> None:
    assert len(ROLLS) == 36 and ROLLS[0] == 11 and ROLLS[-1] == 66
    assert [roll for roll in ROLLS if 16 <= roll <= 22] == [16, 21, 22]
    assert dict(meanings(2, 6, tens_and_units())) == dict.fromkeys(ROLLS, 1)


def test_columns_go_by_ranges_and_shifts_by_columns(ours: ToyCharts) -> None:
    chart = ours.fire
    assert [chart.column(value) for value in (0, 1, 3, 4, 9, 10, 5000)] == [None, 0, 0, 1, 1, 2, 2]
    assert chart.column(4, -1) == 0 and chart.column(4, 1) == 2
    assert chart.column(4, -2) is None, "off the left end nothing happens"
    assert chart.column(4, 7) == 2, "past the right end the last column counts"
    assert chart.column(0, 2) == 1
    assert [chart.title(column) for column in range(3)] == ["1–3", "4–9", "10+"]
    assert ours.morale.column(2) == 1 and ours.morale.title(1) == "2"


def test_scripted_dice_give_tens_and_then_units(ours: ToyCharts) -> None:
    read = ours.fire.reader(1)
    dice = ScriptedDice([2, 6, 6, 2, 3, 1, 6, 6])
    assert [dice.roll(2, 6, read)[0] for _ in range(4)] == ["NE", "M", "M", "1"]


def test_fair_dice_give_what_the_table_says(ours: ToyCharts) -> None:
    dice = FairDice(b"bands")
    for _ in range(200):
        result, faces = dice.roll(2, 6, ours.fire.reader(1))
        assert faces is not None and result == ours.fire.bands(1).result(10 * faces[0] + faces[1])


def test_branching_dice_walk_each_result_with_its_exact_chance(ours: ToyCharts) -> None:
    dice, found = BranchingDice(), {}
    while True:
        dice.restart()
        result, faces = dice.roll(2, 6, ours.fire.reader(1))
        assert faces is None
        found[result] = dice.weight
        if not dice.advance():
            break
    assert found == {"NE": Fraction(12, 36), "M": Fraction(23, 36), "1": Fraction(1, 36)}
    assert ours.fire.bands(1).chances == {"NE": 12, "M": 23, "1": 1}


def test_a_result_is_worth_its_place_among_the_results(ours: ToyCharts) -> None:
    read = ours.fire.reader(1)
    assert [worth(read, result) for result in EFFECTS] == [0, 1, 2]
    assert weigh(2, 6, read).mean == pytest.approx((23 + 2) / 36)


@pytest.mark.parametrize(("needed", "ways"), [(11, 36), (42, 17), (66, 1), (0, 0)])
def test_a_kill_roll_is_reached_or_not(needed: int, ways: int) -> None:
    assert dict(meanings(2, 6, reaches(needed))).get(True, 0) == ways


def test_no_kill_roll_lies_between() -> None:
    with pytest.raises(ValueError, match="not a roll of 11 to 66"):
        reaches(17)


def test_who_throws_real_dice_is_told_what_the_rolls_mean(ours: ToyCharts) -> None:
    assert [tuple(each) for each in readings(2, 6, ours.fire.reader(1), {"M": "Morale Check"})] == [
        ("11 to 26", "NE"),
        ("31 to 65", "Morale Check"),
        ("66", "1"),
    ]
    (any_roll,) = readings(2, 6, tens_and_units())
    assert any_roll.faces == "first die tens, second units"


def test_figures_by_range(ours: ToyCharts) -> None:
    assert [ours.range.whole(distance, "shift") for distance in (-1, 0, 1, 2, 6, 7, 5000)] == [2, 2, 2, 0, 0, -1, -1]
    doc = Document.from_toml(FILE, "charts.toml")
    barrage = Ranges.read(doc, ("barrage", "table"), doc.data["barrage"]["table"], ["good"])
    assert barrage is not None and [barrage.whole(calibre, "good") for calibre in (75, 80, 81, 150)] == [16, 16, 20, 20]


def test_a_user_lays_a_column_list_over_ours(charts: type[ToyCharts]) -> None:
    mine = Document.from_toml(
        """\
[[fire.table.column]]
lo = 1
hi = 999
bands = [{ from = 11, to = 66, result = "1" }]
""",
        "mine.toml",
    )
    read = charts.read(mine)
    assert read.fire.column(500) == 0 and read.fire.bands(0).chances == {"1": 36}
    assert read.user_tables == ["fire"] and read.morale.column(2) == 1


WRONG = [
    ("[morale]\ntotal_2 = [{ from = 11, to = 17, result = 'OK' }]", 2, "17 is not a roll of two dice"),
    ("[morale]\ntotal_2 = [{ from = 11, to = 65, result = 'OK' }]", 2, "no result for 66"),
    (
        "[morale]\ntotal_2 = [{ from = 11, to = 22, result = 'OK' }, { from = 16, to = 66, result = 'S' }]",
        2,
        "two results for 16, 21, 22",
    ),
    ("[morale]\ntotal_2 = [{ from = 11, to = 66, result = 'Z' }]", 2, "unknown result 'Z'"),
    ("[morale]\ntotal_2 = [{ from = 66, to = 11, result = 'S' }]", 2, "11 comes before 66"),
    ("\n[[fire.table.column]]\nlo = 1\nhi = 999\nbands = [{ from = 11, to = 64, result = 'M' }]", 5, "65, 66"),
    (
        "[[fire.table.column]]\nlo = 1\nhi = 3\nbands = [{ from = 11, to = 66, result = 'M' }]\n"
        "[[fire.table.column]]\nlo = 5\nhi = 9\nbands = [{ from = 11, to = 66, result = 'M' }]",
        6,
        "lo = 5 after hi = 3",
    ),
    (
        "[shift.range]\ntable = [{ min = 0, max = 1, shift = 2 }, { min = 1, max = 2, shift = 2 }]",
        2,
        "min = 1 after max",
    ),
]


@pytest.mark.parametrize(("text", "line", "says"), WRONG)
def test_faults_have_their_line(charts: type[ToyCharts], text: str, line: int, says: str) -> None:
    with pytest.raises(MalformedError) as found:
        charts.read(Document.from_toml(text, "mine.toml"))
    assert [(fault.file, fault.line) for fault in found.value.faults] == [("mine.toml", line)]
    assert says in str(found.value)


@pytest.mark.parametrize("entries", [[], 7, [7], [{"from": 11, "to": 66}], [{"from": "a", "to": 66, "result": "S"}]])
def test_what_is_no_list_of_bands_is_a_fault(entries: Any) -> None:
    doc = Document({}, "charts.toml")
    assert Bands.read(doc, ("x",), entries, NERVE) is None and doc.faults


def test_a_chart_needs_columns_in_order() -> None:
    every = [{"from": 11, "to": 66, "result": "S"}]
    for table in ({}, {"column": []}, {"total_1": every, "total_3": every}):
        doc = Document({}, "charts.toml")
        assert BandChart.read(doc, ("x",), table, NERVE) is None and doc.faults, table


# ---- costs in sixths ----------------------------------------------------------------------------------------


def test_thirds_and_halves_add_up_exactly(ours: ToyCharts) -> None:
    assert ours.road == 2 and 3 * ours.road == sixths("1")
    assert sixths("1/2") + sixths("1/3") + sixths("1/6") == sixths(1)
    assert [say_sixths(part) for part in range(7)] == ["0", "⅙", "⅓", "½", "⅔", "⅚", "1"]


@pytest.mark.parametrize("written", ["1/4", "one", "", "1/0", True, "-1", "1.5"])
def test_what_is_no_number_of_sixths_is_refused(written: Any) -> None:
    with pytest.raises(ValueError, match=r"sixths|number of points"):
        sixths(written)


# ---- how they are shown -------------------------------------------------------------------------------------


def test_charts_are_shown_with_their_bands() -> None:
    tables = Document.from_toml(FILE, "charts.toml").data
    names = ("fire.table", "morale", "shift.range", "barrage", "kill", "adjustment", "cost")
    seen = {chart.id: chart for chart in chart_views(tables, {name: Heading(name) for name in names}, [])}
    fire = seen["fire.table"]
    assert [fire.columns, *fire.rows] == [
        ["", "NE", "M", "1"],
        ["1–3", "11–56", "61–66", "–"],
        ["4–9", "11–26", "31–65", "66"],
        ["10+", "–", "11", "12–66"],
    ]
    assert (fire.provenance, fire.note) == ("reconstructed", "rulebook: 4")
    assert seen["morale"].rows == [["total 1", "11–52", "53–66"], ["total 2", "11–16", "21–66"]]
    assert (seen["shift.range"].columns, seen["shift.range"].rows) == (
        ["", "shift"],
        [["0–1", "2"], ["2–6", "0"], ["7+", "-1"]],
    )
    assert seen["barrage"].rows == [["0–80", "16"], ["81–100", "20"]]
    assert seen["kill"].columns == ["", "-1", "0"] and seen["kill"].rows[1] == ["net p0", "55, 0, 0", "53, 65, 65"]
    assert seen["adjustment"].rows == [["us close", "11–12", "13–66"], ["us far", "11–16", "21–66"]]
    assert seen["cost"].rows == [["foot", "½"], ["tracked", "⅓"], ["wheeled", "2"]]
    assert seen["cost"].note == "set by the scenario: wheeled"
