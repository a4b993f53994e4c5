"""Drafts and forms: fields read strictly, all faults at once, previews, files, and answers that are too long."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.cli import show
from grognard.cli.referee import choose, refusal
from grognard.cli.text_play import TextGame
from grognard.cli.words import choose_key, steps
from grognard.core.ask import Ask, Bar, Option
from grognard.core.drafts import LONGEST, Draft, DraftPreview
from grognard.core.errors import GrognardError, IllegalError, MalformedError
from grognard.core.events import Asked
from grognard.core.files import Document
from grognard.core.forms import (
    MOST_ENTRIES,
    Field,
    FieldChoice,
    Form,
    check_form,
    place_in,
    read_json,
    sample_form,
    spoil,
    start_of,
    where_of,
    write_form,
)
from grognard.core.session import Session
from grognard.core.view import ask_view
from tests.core.toy import Toy, ToyScenario

PLACES = {f"{letter}{number}" for letter in "ABC" for number in (1, 2, 3)}
UNITS = (FieldChoice("r0", "Red 0"), FieldChoice("r1", "Red 1"))
LEG = (
    Field("to", "To", "place"),
    Field("when", "When", "number", least=1, most=12, required=False, rule="1.3"),
)
FIELDS = (
    Field("name", "Name", "text", most=12, default="Oak"),
    Field("kind", "Kind", "choice", (FieldChoice("attack"), FieldChoice("defend")), rule="1.2"),
    Field("units", "Units", "units", UNITS),
    Field("route", "Route", "route", least=2, most=5),
    Field("area", "Area", "places", required=False),
    Field("limit", "Limit", "line", required=False),
    Field("depth", "Depth", "number", required=False),
    Field("leg", "Legs", "rows", most=3, required=False, fields=LEG),
)
GOOD: Form = {"name": "Elm", "kind": "attack", "units": ["r0"], "route": ["A1", "B1"]}


class Orders(Draft):
    """Orders of which no route begins at B2."""

    def fields(self) -> tuple[Field, ...]:
        return FIELDS

    def bars(self, form: Form) -> Iterator[Bar]:
        if form.get("route", ["A1"])[:1] == ["B2"]:
            yield Bar("1.1", "no route begins at B2", place_in(("route", 0)))
        if form.get("name") == "Ash":
            yield Bar("1.1", "Ash is taken", "name")

    def preview(self, form: Form) -> DraftPreview:
        return DraftPreview([f"{len(form.get('route', ()))} places"], dict.fromkeys(form.get("route", ()), "route"))


DRAFT = Orders("orders", "Give them", places=PLACES, rule="1.1")


def asked(options: tuple[Option, ...] = (Option("stay", "Stay"),)) -> Ask:
    return Ask("red", "What now?", list(options), draft=lambda: DRAFT)


def faults(**changed: Any) -> dict[str, str]:
    """What is wrong with the good form after changes, by its place; None takes a field out."""
    form = {key: value for key, value in {**GOOD, **changed}.items() if value is not None}
    return {bar.source: bar.reason for bar in DRAFT.read(DRAFT.key(form))[1]}


# ---- forms -------------------------------------------------------------------------------------------------


def test_a_good_form_is_taken_as_it_is() -> None:
    form = {**GOOD, "area": [], "limit": ["C1"], "depth": 0, "leg": [{"to": "A1"}, {"to": "B1", "when": 12}]}
    assert check_form(FIELDS, form, PLACES) == (form, [])
    assert DRAFT.read(DRAFT.key(form)) == (form, [])
    option = DRAFT.option(DRAFT.key(form))
    assert isinstance(option, Option) and (option.verb, option.label, option.rule) == ("orders", "Give them", "1.1")


@pytest.mark.parametrize(
    ("changed", "where", "says"),
    [
        ({"name": None}, "name", "no name; a text of at most 12 characters"),
        ({"name": "x" * 13}, "name", "13 characters; at most 12"),
        ({"name": " "}, "name", "no name"),
        ({"name": 3}, "name", "3 instead of a text"),
        ({"name": "a\tb"}, "name", "characters that cannot be printed"),
        ({"name": "\ud800"}, "name", "characters that cannot be printed"),
        ({"kind": "atack"}, "kind", "no kind 'atack'; did you mean \"attack\"?"),
        ({"units": ["r9"]}, "units[1]", "no unit 'r9'"),
        ({"units": []}, "units", "0 entries; a list of 1 to 400 units"),
        ({"units": ["r0", "r0"]}, "units[2]", "'r0' twice"),
        ({"units": "r0"}, "units", "'r0' instead of a list"),
        ({"route": ["A1"]}, "route", "1 entries; a list of 2 to 5 places"),
        ({"route": ["A1", "Z9", "A2"]}, "route[2]", "'Z9' is not a place of this map"),
        ({"route": ["A1", 7]}, "route[2]", "7 instead of a name"),
        ({"area": ["A1", "A1"]}, "area[2]", "'A1' twice"),
        ({"limit": {}}, "limit", "{} instead of a list"),
        ({"depth": -1}, "depth", "depth -1; a whole number from 0"),
        ({"depth": True}, "depth", "True instead of a whole number"),
        ({"depth": 1.5}, "depth", "1.5 instead of a whole number"),
        ({"leg": [{}]}, "leg[1].to", "no to; a place of the map"),
        ({"leg": [{"to": "A1", "when": 13}]}, "leg[1].when", "when 13; 1 to 12"),
        ({"leg": [3]}, "leg[1]", "3 instead of fields"),
        ({"leg": 3}, "leg", "3 instead of rows"),
        ({"leg": [{"to": "A1"}] * 4}, "leg", "4 rows; a list of 0 to 3 rows"),
        ({"kinds": "attack"}, "kinds", "unknown field 'kinds'; did you mean \"kind\"?"),
        ({"name": "y" * 3000}, "name", "3000 characters"),
    ],
)
def test_every_field_is_read_strictly(changed: dict[str, Any], where: str, says: str) -> None:
    told = faults(**changed)
    assert list(told) == [where] and told[where].startswith(says), told


def test_all_faults_are_told_at_once_those_of_the_rules_too() -> None:
    told = faults(name="Ash", kind="x", route=["B2", "Z9"], extra=1)
    assert list(told) == ["extra", "kind", "route[2]", "route[1]", "name"]
    bars = DRAFT.read(DRAFT.key({**GOOD, "kind": "x"}))[1]
    assert bars[0].rule == "1.2" and bars[0].source == "kind"


def test_what_has_a_fault_is_left_out_for_the_rules() -> None:
    form, found = check_form(FIELDS, {**GOOD, "kind": "x", "route": ["A1", "Z9", "B1"], "depth": "deep"}, PLACES)
    assert form == {"name": "Elm", "units": ["r0"], "route": ["A1", "B1"]} and len(found) == 3
    assert check_form(FIELDS, [], PLACES)[0] == {}


def test_no_more_faults_than_anybody_reads() -> None:
    _, found = check_form(FIELDS, {**GOOD, "area": ["Z9"] * 1000}, PLACES)
    assert len(found) == 40
    _, found = check_form(FIELDS, {**GOOD, "limit": ["A1"] * (MOST_ENTRIES + 1)}, PLACES)
    assert [fault.wrong for fault in found] == [f"{MOST_ENTRIES + 1} entries"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[1]", "not a table of fields"),
        ('{"a":1,"a":2}', '"a" twice'),
        ('{"a":NaN}', "NaN is not a number"),
        ('{"a":-Infinity}', "-Infinity is not a number"),
        ("[" * 3000, "nested too deeply"),
        ("9" * 3900, "not a table of fields"),
    ],
)
def test_rubbish_is_no_form(text: str, says: str) -> None:
    assert says in read_json(text)[1] and read_json(text)[0] is None
    _, bars = DRAFT.read(f"orders {text}")
    assert len(bars) == 1 and says in bars[0].reason


def test_a_form_has_one_spelling_and_begins_with_its_defaults() -> None:
    assert write_form({"b": 1, "a": ["é"]}) == '{"a":["\\u00e9"],"b":1}'
    assert start_of(FIELDS) == DRAFT.start() == {"name": "Oak"}
    assert DRAFT.view().start == 'orders {"name":"Oak"}' and DRAFT.view().fields == list(FIELDS)


@given(st.lists(st.one_of(st.integers(0, 50), st.from_regex(r"[a-z]{1,8}", fullmatch=True)), max_size=6))
def test_a_place_in_a_form_is_told_and_read_back(parts: list[int | str]) -> None:
    assert where_of(place_in(tuple(parts))) == tuple(parts)


@given(st.integers(0, 10_000))
def test_samples_are_well_made_and_spoilt_ones_are_something_else(seed: int) -> None:
    rng = Random(seed)
    form = sample_form(FIELDS, rng, sorted(PLACES))
    assert check_form(FIELDS, form, PLACES)[1] == []
    before = write_form(form)
    spoil(form, rng)
    assert write_form(form) == before


# ---- answers -----------------------------------------------------------------------------------------------


def test_answers_that_are_too_long_or_not_ascii_are_refused() -> None:
    long = DRAFT.key({**GOOD, "area": ["A1"] * 1000})
    assert len(long) > LONGEST and "at most 4,000" in DRAFT.read(long)[1][0].reason
    assert "plain ASCII" in DRAFT.read('orders {"name":"é"}')[1][0].reason
    assert "spaces before or after" in DRAFT.read(f"{DRAFT.key(GOOD)} ")[1][0].reason
    with pytest.raises(IllegalError) as error:
        asked().option(long)
    assert len(str(error.value)) < 1000


def test_a_question_takes_its_options_and_drafts_without_a_fault() -> None:
    ask = asked((Option("stay", "Stay"), Option(DRAFT.key(GOOD), "Along the ridge", "orders")))
    assert ask.only is None and asked().only is None
    assert ask.option("stay").label == "Stay"
    assert ask.option(DRAFT.key(GOOD)).label == "Along the ridge"
    assert ask.option(DRAFT.key({**GOOD, "depth": 3})).label == "Give them"
    with pytest.raises(IllegalError) as error:
        ask.option(DRAFT.key({**GOOD, "name": "Ash", "kind": "x"}))
    assert "no kind 'x'" in str(error.value) and "Ash is taken (name) [1.1]" in str(error.value)
    with pytest.raises(IllegalError, match="and any 'orders' without a fault"):
        ask.option("orders")
    with pytest.raises(IllegalError):
        ask.option("ordersx {}")
    assert ask_view(ask, "red").draft == DRAFT.view()  # type: ignore[union-attr]
    assert ask_view(Ask("red", "?", []), "red").draft is None  # type: ignore[union-attr]


def test_a_preview_tells_what_it_comes_to_and_every_fault() -> None:
    shown = DRAFT.shown(DRAFT.key({**GOOD, "name": "Ash", "route": ["B2", "Z9", "C1"]}))
    assert not shown.legal and [bar.source for bar in shown.bars] == ["route[2]", "route[1]", "name"]
    assert shown.bar == shown.bars[0] and shown.lines == ["2 places"] and shown.tints == {"B2": "route", "C1": "route"}
    assert DRAFT.shown(DRAFT.key(GOOD)).legal
    assert not DRAFT.shown("orders {").legal


def test_a_long_answer_is_shortened_in_the_log() -> None:
    key = DRAFT.key({**GOOD, "area": sorted(PLACES) * 9})
    assert len(Asked(side="red", key=key).say()) < 240 and Asked(side="red", key="stay").say() == "red: stay"


# ---- files and words ---------------------------------------------------------------------------------------


def test_a_form_is_read_from_a_file_with_lines() -> None:
    text = 'name = "Elm"\nkind = "attack"\nunits = ["r0"]\nroute = ["A1", "B1"]\n[[leg]]\nto = "A1"\n'
    assert DRAFT.read_document(Document.from_toml(text, "oak.toml")) == DRAFT.key({**GOOD, "leg": [{"to": "A1"}]})
    bad = text.replace("Elm", "Ash").replace("attack", "x").replace('to = "A1"', 'to = "Z9"')
    with pytest.raises(MalformedError) as error:
        DRAFT.read_document(Document.from_toml(bad, "oak.toml"))
    told = [str(fault) for fault in error.value.faults]
    assert len(told) == 3
    assert any(each.startswith("oak.toml:2: kind: no kind 'x'") for each in told)
    assert any(each.startswith("oak.toml:6: leg[1].to: 'Z9' is not a place") for each in told)
    assert any(each.startswith("oak.toml:1: name: Ash is taken") and "rule 1.1" in each for each in told)


class Ordered(Toy):
    """Toy, whose first question takes orders."""

    def play(self, battle: Any) -> Any:
        answer = yield Ask("red", "Orders?", [Option("stay", "Stay", "stay")], quiet=True, draft=lambda: DRAFT)
        battle.state.shots = battle.state.last if answer == "stay" else len(answer)
        yield from super().play(battle)


def test_people_type_drafts_and_are_shown_their_fields() -> None:
    session = Session(Ordered(), ToyScenario(), seed=b"orders")
    ask = session.ask
    assert ask is not None
    key = DRAFT.key({**GOOD, "name": "a  b / c"})
    assert choose_key(ask, f" {key} ") == key and steps([key]) == [key]
    assert choose(session, ask, json.dumps(GOOD).join(["orders ", ""])) == f"orders {json.dumps(GOOD)}"
    wrong = DRAFT.key({**GOOD, "kind": "x"})
    with pytest.raises(IllegalError, match="no kind 'x'") as error:
        choose(session, ask, wrong)
    assert refusal(session, wrong, error.value) is error.value
    assert [bar.source for bar in session.why_not("red", wrong)] == ["kind"]
    lines = "\n".join(show.option_lines(ask, {}))
    assert "or draw it yourself: orders FORM" in lines and "kind  Kind (choice: attack, defend) [1.2]" in lines
    assert "      to  To (place)" in lines and "\n".join(show.brief_option_lines(ask, {})).endswith(lines[-40:])
    told = "\n".join(show.preview_lines(session.preview(DRAFT.key({**GOOD, "name": "Ash", "kind": "x"}))))
    assert "Not allowed: no kind 'x'" in told and "Ash is taken (name) [1.1]" in told and "2 places" in told


def test_other_questions_say_what_they_take() -> None:
    session = Session(Ordered(), ToyScenario(), seed=b"orders")
    with pytest.raises(IllegalError, match="this question takes any 'orders'"):
        session.preview("nonsense")
    session.answer("stay")
    with pytest.raises(IllegalError, match="takes no pose and no draft"):
        Session(Toy(), ToyScenario(), seed=b"orders").preview("pose 1 1 0")
    assert not session.prepares("red", DRAFT.key(GOOD))
    with pytest.raises(IllegalError, match="no such draft"):
        session.prepared("red", DRAFT.key(GOOD))


def test_a_file_is_handed_in_while_playing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = Session(Ordered(), ToyScenario(), seed=b"orders")
    game = TextGame(session, {"red": None, "blue": None}, board=False)
    file = tmp_path / "oak.toml"
    file.write_text('name = "Elm"\nkind = "attack"\nunits = ["r0"]\nroute = ["A1", "B1"]\n', encoding="utf-8")
    assert session.ask is not None
    game.deal_with(session.ask, f"draft {file}")
    assert session.given[0][1] == DRAFT.key(GOOD) and "2 places" in capsys.readouterr().out
    plain = Session(Toy(), ToyScenario(), seed=b"orders")
    assert plain.ask is not None
    with pytest.raises(GrognardError, match="takes nothing that is drawn"):
        TextGame(plain, {"red": None, "blue": None}, board=False).deal_with(plain.ask, f"draft {file}")
    again = Session(Ordered(), ToyScenario(), seed=b"orders")
    assert again.ask is not None
    file.write_text('name = "Ash"\n', encoding="utf-8")
    for words, says in (("draft", "hand in what"), (f"draft {file}", "oak.toml:1: name: Ash is taken")):
        with pytest.raises(GrognardError, match=says):
            TextGame(again, {"red": None, "blue": None}, board=False).deal_with(again.ask, words)
    assert not again.given
