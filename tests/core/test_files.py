"""Files with faults: every fault is told with file, line, place and what would be right."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.core.charts import Charts, build_chart
from grognard.core.errors import Fault, MalformedError
from grognard.core.files import Document, toml_lines
from grognard.core.ledger import Ledger, proofs
from grognard.core.tally import Tally


class Thing(msgspec.Struct):
    name: str
    size: int = 0


TEXT = """\
title = "x"

[[unit]]
name = "a"

[[unit]]
name = "b"
size = "big"

[map.terrain]
woods = "A1"
"""


def test_lines_of_tables_and_keys() -> None:
    lines = toml_lines(TEXT)
    assert lines[("title",)] == 1
    assert lines[("unit", 0, "name")] == 4 and lines[("unit", 1, "size")] == 8
    assert lines[("map", "terrain", "woods")] == 11


def test_a_fault_names_file_line_and_place() -> None:
    document = Document.from_toml(TEXT, "demo.toml")
    things = [document.convert(entry, Thing, "unit", i) for i, entry in enumerate(document.data["unit"])]
    assert things == [Thing("a"), None]
    document.fault(("unit", 0, "colour"), "unknown", "leave it out")
    with pytest.raises(MalformedError) as told:
        document.check()
    assert str(told.value).splitlines() == [
        "demo.toml:8: unit[2].size: Expected `int`, got `str`",
        "demo.toml:3: unit[1].colour: unknown (leave it out)",
    ]


def test_unreadable_files(tmp_path: Path) -> None:
    for name, data, wanted in [
        ("a.toml", b"x = ", "not valid TOML"),
        ("b.json", b"{", "not valid JSON"),
        ("c.toml", b"\xff\xfe", "UTF-8"),
    ]:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(MalformedError, match=wanted):
            Document.read(tmp_path / name)
    with pytest.raises(MalformedError, match="can't be read"):
        Document.read(tmp_path / "none.toml")


@given(st.text(max_size=200))
def test_any_text_is_toml_or_malformed(text: str) -> None:
    try:
        Document.from_toml(text, "any")
    except MalformedError as error:
        assert all(isinstance(fault, Fault) for fault in error.faults)


def test_a_users_charts_take_precedence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, home = tmp_path / "toy", tmp_path / "home"
    theirs = home / "grognard" / "toy" / "charts.toml"
    for path in (game, theirs.parent):
        path.mkdir(parents=True)
    (game / "charts.toml").write_text("[a]\nx = 1\ny = 2\n[b]\nz = 3\n")
    monkeypatch.setenv("XDG_DATA_HOME", str(home))

    class Plain(Charts):
        folder = game

    class Theirs(Charts):
        folder = game

    assert Plain.user_file() == theirs
    now = Plain.in_force()
    assert (now.tables, now.user_tables) == ({"a": {"x": 1, "y": 2}, "b": {"z": 3}}, [])
    assert Plain.in_force() is now and now["a"] == {"x": 1, "y": 2} and now.number("b", "z") == 3
    theirs.write_text("[a]\nx = 9\n")
    now = Theirs.in_force()
    assert (now.tables, now.user_tables) == ({"a": {"x": 9, "y": 2}, "b": {"z": 3}}, ["a"])
    with pytest.raises(MalformedError) as told:
        Plain.read(Document.from_toml("b = 1\n[c]\nx = 9\n", "mine.toml"))
    assert len(told.value.faults) == 2
    with pytest.raises(MalformedError, match="lacks"):
        build_chart("a", {"a": {}}, "x.toml")


def test_the_ledger_and_its_proofs(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(
        'game="g"\n[[rule]]\nid="1.1"\nkind="limit"\ntext="No flying."\n'
        '[[rule]]\nid="1.2"\nkind="flavour"\ntext="Hot."\n'
    )
    ledger = Ledger.load(rules)
    assert [r.id for r in ledger.to_prove] == ["1.1"] and "1.2" in ledger and "2" not in ledger
    assert [r.id for r in ledger.section("1")] == ["1.1", "1.2"] and ledger.search("no FLYING") == ledger.section("1.1")
    (tmp_path / "test_x.py").write_text(
        'import pytest\n@pytest.mark.rule("g", "1.1", "1.3")\ndef test_a(): ...\n'
        '@pytest.mark.rule("h", "1.2")\ndef test_b(): ...\n'
    )
    assert proofs(tmp_path, "g") == {"1.1": ["test_x.py::test_a"], "1.3": ["test_x.py::test_a"]}
    rules.write_text(
        '[[rule]]\nid="1"\nkind="limit"\ntext="a"\n[[rule]]\nid="1"\nkind="limit"\ntext="b"\n[[rule]]\nid=3\n'
    )
    with pytest.raises(MalformedError) as told:
        Ledger.load(rules)
    assert len(told.value.faults) == 2


def test_a_tally_refuses_the_same_modifier_twice() -> None:
    tally = Tally("roll", 0)
    tally.add("leader", 1, "15.9", "g1")
    tally.add("leader", 1, "15.9", "g2")
    with pytest.raises(ValueError, match="twice"):
        tally.add("leader", 1, "15.9", "g1")
    tally.at_least(5, "minimum", "86.4")
    assert tally.total == 5 and tally.say({"leader": "Leader"}).endswith("+3 minimum [86.4] = 5")
    tally.multiply("twice", 2, "1")
    assert tally.total == 10
    tally.multiply("a third", 1 / 3, "1")
    assert tally.total == 3, "rounded down"
