"""Places as people are told them: labels, prompts, the log and lines of sight say where, and never by mere numbers."""

from __future__ import annotations

import random
import re

import pytest

from grognard.core.events import Asked, Rolled
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.core.view import log_line
from grognard.games.bolt_action import entry, panic_and_escape
from grognard.games.bolt_action.game import GAME
from grognard.games.bolt_action.move_events import Halted, Moved
from grognard.games.bolt_action.turn_events import BarrageFalls, Deployed, StrikeCalled
from tests.games.bolt_action.play import answer, box, field, happened, piece, play, the_battle, unit

ENEMY = unit("ger_infantry", "g1", at=(30, 12), heading=180)
#: Two numbers with a comma between them that are no part of another word.
NUMBERS = re.compile(r"(?<![\w.])\d+(?:\.\d+)?, ?\d+(?:\.\d+)?(?![\w.])")
#: A length that is not told as rulers have it, "6″"; and an article too many, or a large one in a sentence.
CLUMSY = re.compile(r"\d (?:in|inches|″)(?! the\b| a\b)(?!\w)|[Tt]he [Tt]he |[a-z] The ")


def told(session: Session, event: object) -> str:
    """An event as the log tells it."""
    assert isinstance(event, Moved | Deployed | Halted | StrikeCalled | BarrageFalls)
    return event.say(GAME.names(session.battle))


@pytest.mark.parametrize("name", list(GAME.scenario_files()))
def test_places_and_lengths_are_told_in_the_words_of_people(name: str) -> None:
    """Questions, options and the log of the beginning of a battle, with whatever comes into somebody's head."""
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    session = Session(GAME, scenario, seed=b"places")
    wits = random.Random(4)
    heard = 0
    for _ in range(60):
        if session.ask is None:
            break
        texts = [session.ask.prompt, *(option.label for option in session.ask.options)]
        names = GAME.names(session.battle)
        events = [event for event in session.log[heard:] if not isinstance(event, Asked | Rolled)]
        heard = len(session.log)
        texts += [event.say(names) for event in events]
        assert [text for text in texts if NUMBERS.search(text) or CLUMSY.search(text)] == []
        session.answer(wits.choice(session.ask.options).key)


def test_a_move_tells_where_it_ends_and_the_log_shows_it() -> None:
    hedge = piece("hedge", (20, 26.5), (40, 26.5))
    session = play(unit("us_squad", "a1", at=(30.26, 31)), ENEMY, terrain=[hedge], drawn="american", dice=[1, 1])
    answer(session, "unit a1", "advance", "pose 30.26 27.5 0")
    (moved,) = happened(session, Moved)
    text = "Infantry squad a1 advances 3.5″ to 30.3″ from the left, 20.5″ from the bottom, at the hedge"
    assert (moved.end, told(session, moved)) == ("30.26,27.5", text)
    lines = [line for line in session.view("german").log if line.text == text]
    assert [(line.units, line.places) for line in lines] == [(("a1",), ("30.26,27.5",))], "where it began is not told"


def test_a_place_whose_words_end_alike_is_not_told() -> None:
    """It began 2 inches from the left, and the line tells of 12."""
    session = play(unit("us_squad", "a1", at=(20, 30)), ENEMY)
    moved = Moved(unit="a1", how="run", start="2,3", end="12,3", inches="10")
    line = log_line(moved, {}, GAME.names(session.battle), GAME.places(session.scenario))
    assert line.text.endswith("to 12″ from the left, 3″ from the top") and line.places == ("12,3",)


def test_a_unit_is_placed_at_a_place_or_in_a_house() -> None:
    session = play(unit("us_squad", "a1", at=(20, 30)), ENEMY, terrain=[box("building", 40, 10, 46, 16, id="farm")])
    at = Deployed(unit="a1", place="45.5,40")
    assert told(session, at) == "Infantry squad a1 is placed 26.5″ from the right, 8″ from the bottom"
    assert told(session, Deployed(unit="a1", piece="farm")) == "Infantry squad a1 is placed in the building"


def test_fire_halts_somebody_at_a_place() -> None:
    session = play(unit("us_squad", "a1", at=(20, 30)), ENEMY)
    halted = Halted(unit="a1", place="20,3")
    assert told(session, halted) == "Infantry squad a1 is halted 20″ from the left, 3″ from the top"


def test_a_barrage_is_called_and_falls_at_a_place() -> None:
    woods = box("woods", 25, 8, 36, 16)
    session = play(unit("us_observer", "a1", at=(20, 44)), ENEMY, terrain=[woods], drawn="american", dice=[1])
    answer(session, "unit a1", "fire", "barrage 25.5 12 0")
    (called,) = happened(session, StrikeCalled)
    assert told(session, called).endswith(
        "calls a barrage on a point 25.5″ from the left, 12″ from the top, in the woods"
    )
    falls = BarrageFalls(side="american", place="25.5,2", radius=7)
    assert told(session, falls) == "The American barrage falls 25.5″ from the left, 2″ from the top, reaching 7″"


def test_what_was_told_stays_when_a_house_falls_in() -> None:
    farm = box("building", 40, 10, 46, 16, id="farm", name="Mill")
    session = play(unit("us_squad", "a1", at=(20, 30)), ENEMY, terrain=[farm])
    halted = Halted(unit="a1", place="43,13")
    before = told(session, halted)
    the_battle(session).state.changed["farm"] = "rubble"
    the_battle(session).invalidate()
    assert before == told(session, halted) and before.endswith("in the Mill")


def test_who_flees_chooses_between_places() -> None:
    battle = field(unit("us_2lt", "a1", at=(36, 46)), unit("ger_2lt", "g1", at=(36, 36)))
    ask = next(panic_and_escape.panic(battle, battle.unit("a1")))
    assert len(ask.options) == 2
    assert all(
        re.fullmatch(r"flee to [\d.]+″ from the (left|right), [\d.]+″ from the bottom", o.label) for o in ask.options
    )


def test_reserves_come_on_at_places() -> None:
    road = piece("road", (36, 0), (36, 48))
    truck = unit("us_truck", "a1", status="reserve")
    battle = field(truck, unit("us_squad", "a2", at=(20, 30)), ENEMY, terrain=[road])
    labels = [option.label for option in entry.options(battle, battle.unit("a1"), "run")][1:]
    assert labels[0] == "36″ from the left, 24″ from the top, along the road"
    assert all("″ from the " in label for label in labels)


def test_a_line_of_sight_is_told_from_place_to_place() -> None:
    session = play(unit("us_squad", "a1", at=(20, 30)), ENEMY, terrain=[box("woods", 30, 20, 36, 26)])
    report = GAME.sight(the_battle(session), "american", "33,28", "33,18")
    first, *more = report.say().splitlines()
    assert first.startswith(
        "A man (33″ from the left, 20″ from the bottom) does not see a man (33″ from the left, 18″ from"
    )
    assert any("Woods (33″ from the left, 22″ from the bottom): hides" in line for line in more)


def test_who_has_no_window_on_that_side_sees_nobody_at_no_range() -> None:
    barn = box("building", 40, 30, 46, 36, id="barn", openings=[2])
    squad = unit("us_squad", "a1", at=(43, 33), building="barn")
    session = play(squad, unit("ger_infantry", "g1", at=(43, 12), heading=180), terrain=[barn])
    report = GAME.sight(the_battle(session), "american", "a1", "g1")
    says = "Infantry squad a1 does not see Infantry squad g1: no opening of the building faces it [25.3]"
    assert report.say() == says and report.view().lines == []
