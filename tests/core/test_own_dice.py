"""The table's own dice: whose they are, what they decide, which faces there are and what each means."""

from __future__ import annotations

import pytest

from grognard.core import open_files
from grognard.core.ask import FacesAsk
from grognard.core.dice import at_least, by_face, counts, drawn, total
from grognard.core.dice_words import readings
from grognard.core.errors import IllegalError
from grognard.core.files import Document
from grognard.core.session import Session
from tests.cli.conftest import run_command

TABLE = """
game = "bolt_action"
turn = 2
cup = { german = 2, american = 1 }
[table]
width = 48
height = 36
[[unit]]
id = "g1"
kind = "ger_pak40"
at = [20, 30]
[[unit]]
id = "a1"
kind = "us_squad10"
at = [20, 12]
heading = 180
"""


def session_of(text: str) -> Session:
    game = open_files.game_of(Document.from_toml(text, "table.toml"), "situation")
    scenario, state = game.load_situation(Document.from_toml(text, "table.toml"))
    return Session(game, scenario, state=state, script=())


def wanted(session: Session) -> FacesAsk:
    assert isinstance(session.ask, FacesAsk)
    return session.ask


def test_an_order_die_is_told_by_the_name_of_its_side() -> None:
    session = session_of(TABLE)
    ask = wanted(session)
    assert ask.what == "order die" and ask.throw.side == "" and ask.side in session.scenario.sides
    assert ask.things == {"German": 2, "American": 1} and sorted(ask.names) == ["american", "german"]
    with pytest.raises(IllegalError, match="'dice american' or 'dice german'"):
        session.answer("dice french")
    session.answer("dice german")
    assert session.ask is not None and session.ask.side == "german"
    shown = session_of(TABLE).view(ask.side).ask
    assert shown is not None and shown.dice is not None
    assert [(thing.word, thing.number) for thing in shown.dice.things] == [("german", 2), ("american", 1)]


def test_a_d3_is_asked_for_as_a_d3() -> None:
    text = TABLE.replace("turn = 2", 'turn = 2\\ndrawn = "german"'.replace("\\n", "\n"))
    session = session_of(text)
    for key in ("unit g1", "fire"):
        session.answer(key)
    he = next(option.key for option in session.ask.options if option.key.endswith("he"))
    session.answer(he)
    while not (isinstance(session.ask, FacesAsk) and session.ask.what.startswith("HE")):
        ask = session.ask
        assert ask is not None
        session.answer("dice 6" if isinstance(ask, FacesAsk) else next(o.key for o in ask.options if o.verb == "pass"))
    assert (wanted(session).number, wanted(session).sides) == (1, 3), "a heavy gun's shell is a D3"
    assert [tuple(each) for each in session.readings()] == [("the face", "counts")]
    with pytest.raises(IllegalError, match="it shows 1 to 3"):
        session.answer("dice 5")
    rolls = session.view("german").ask
    assert rolls is not None and rolls.dice is not None
    assert any("6" in line.text for line in rolls.dice.so_far), "the hit that was rolled before is told"


def test_the_cli_plays_a_table_with_its_own_dice(tmp_path: object) -> None:
    told = run_command(
        *("play", "first_steps", "--text", "--own-dice", "--sides", "human,human", "--no-board"),
        typed="german\nquit\n\n",
    ).stdout
    assert "To be drawn: order die [1.2], one of these" in told
    assert "Type what was drawn, such as american" in told and "German: " in told.split("german> german")[-1]


@pytest.mark.parametrize(
    ("number", "sides", "read", "says"),
    [
        (2, 6, at_least(8), [("2 to 7", "failed"), ("8 to 12", "passed")]),
        (1, 6, by_face(("empty", "fuel left", "fuel left")), [("1", "empty"), ("2 to 6", "fuel left")]),
        (3, 6, total(), [("the total", "counts")]),
        (1, 3, total(1), [("the face", "counts, +1")]),
        (
            3,
            6,
            counts(((0, 0, 0, 1, 1, 2),) * 3, 2, ("hit", "again")),
            [("each die on 4 or 5", "hit"), ("each die on 6", "again")],
        ),
        (
            9,
            6,
            counts(((0, 0, 0, 0, 0, 1),) * 2 + ((0, 0, 1, 1, 1, 1),) * 7),
            [("dice 1 to 2 on 6", "counts"), ("dice 3 to 9 on 3 to 6", "counts")],
        ),
        (9, 6, total(), []),
        (1, 2, drawn(("a", "b")), [("1", "a"), ("2", "b")]),
    ],
)
def test_what_faces_mean(number: int, sides: int, read: object, says: list[tuple[str, str]]) -> None:
    assert [tuple(each) for each in readings(number, sides, read)] == says  # type: ignore[arg-type]


def test_the_faces_of_a_volley_say_what_they_do() -> None:
    """Each throw has words of its own: a hit, damage, and damage that may be exceptional (13.1, 14.3, 15.3)."""
    near = TABLE.replace("[20, 12]", "[20, 16]")
    squad = near.replace("ger_pak40", "ger_infantry").replace("cup = { german = 2, american = 1 }", 'drawn = "german"')
    session = session_of(squad)
    for key in ("unit g1", "fire", "at a1", "pass"):
        session.answer(key)
    assert wanted(session).what == "to hit"
    told = dict(session.readings())
    assert told == {"dice 1 to 3 on 3 to 6": "hit", "dice 4 to 10 on 4 to 6": "hit"}
    session.answer("dice 6 6 6 1 1 1 1 1 1 1")
    assert dict(session.readings()) == {
        "each die on 4 or 5": "damage",
        "each die on 6": "damage (exceptional on another six)",
    }
    session.answer("dice 6 1 1")
    assert wanted(session).what == "exceptional damage" and dict(session.readings()) == {"6": "exceptional"}
