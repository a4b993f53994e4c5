"""Player aids of every game: the board and its pictures, verbs, charts, lessons, and what they must not tell."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import msgspec
import pytest

from grognard.core import registry
from grognard.core.aid_views import Cue, Lesson
from grognard.core.errors import GrognardError
from grognard.core.game import Game
from grognard.core.glossary import explain
from grognard.core.view import View
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import ENDLESS, load, play, start
from tests.conformance.test_rules import known

Battle = tuple[str, str]
#: A label is for people: the words of an answer have no place in it.
WORDS_OF_ANSWERS = re.compile(r"_|\w\+\w|\w:\w")
GAMES = registry.games()
each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


def test_the_board_has_the_pixels_of_its_picture(battle: Battle) -> None:
    game, scenario = load(*battle)
    board = game.board(scenario)
    for theme in ("light", "dark"):
        picture = game.land(scenario, theme)
        root = ElementTree.fromstring(picture)
        assert float(root.attrib["width"]) == pytest.approx(board.width, abs=0.02)
        assert float(root.attrib["height"]) == pytest.approx(board.height, abs=0.02)
        assert "data-hex" not in picture and "data-unit" not in picture and len(picture) < 800_000
        assert game.land(scenario, theme) is picture, "it is kept"
        small = game.thumbnail(scenario, theme)
        ElementTree.fromstring(small)
        assert len(small) < 41 * 1024
    assert game.land(scenario, "light") != game.land(scenario, "dark")
    with pytest.raises(GrognardError, match="light and dark"):
        game.land(scenario, "purple")


def test_the_hexes_of_the_board_lie_on_it(battle: Battle) -> None:
    game, scenario = load(*battle)
    board = game.board(scenario)
    assert set(board.colours) == set(scenario.sides) and board.step > 0 and board.measure
    assert len({hex.id for hex in board.hexes}) == len(board.hexes)
    assert len({(hex.q, hex.r) for hex in board.hexes}) == len(board.hexes)
    for hex in board.hexes:
        assert 0 < hex.x < board.width and 0 < hex.y < board.height and hex.text
    assert len(board.corners) == (6 if board.hexes else 0) and len(set(board.facings)) == len(board.facings)


def test_every_verb_offered_has_help(battle: Battle, seed: int) -> None:
    session = start(*battle, 70 + seed)
    player = RandomPlayer(71 + seed)
    helped = {verb.verb for verb in session.game.verbs()}
    while session.ask is not None:
        for option in session.ask.options:
            assert option.verb in helped, option
            assert option.label, option
            assert not WORDS_OF_ANSWERS.search(option.label), option
        session.answer(player.choose(None, session.ask), trusted=True)


def test_every_badge_and_tag_is_in_the_glossary(battle: Battle, seed: int) -> None:
    session = start(*battle, 90 + seed)
    player = RandomPlayer(91 + seed)
    terms = session.game.glossary()
    seen: set[str] = set()
    for side in ("", *session.scenario.sides):
        seen |= tags(session.game.view(session.battle, side))
    for step in range(ENDLESS):
        if session.ask is None:
            break
        session.answer(player.choose(None, session.ask), trusted=True)
        if step % 20 == 0 or session.ask is None:
            seen |= tags(session.game.view(session.battle, ""))
    assert seen, "units show nothing"
    assert not {tag for tag in seen if explain(terms, tag) is None}


def tags(view: View) -> set[str]:
    """All that stands on the units of a view in short: classes, badges, and what single models bear."""
    found: set[str] = set()
    for unit in view.units:
        found |= {unit.short.split(" ")[0], *unit.badges}
        for model in unit.models:
            found |= {model.short, *model.badges}
    return found - {""}


@each_game
def test_the_glossary_cites_rules_that_there_are(game: Game) -> None:
    rules, terms = known(game), game.glossary()
    spellings = [spelling for term in terms for spelling in (term.word, *term.also)]
    assert len(set(spellings)) == len(spellings), "each spelling means one thing"
    for term in terms:
        assert term.title and term.text.endswith(".") and term.rule in rules, term
        assert explain(terms, term.word.replace("#", "2")) is term


@each_game
def test_help_and_charts_cite_rules_that_there_are(game: Game) -> None:
    rules = known(game)
    verbs = game.verbs()
    assert len({verb.verb for verb in verbs}) == len(verbs)
    for verb in verbs:
        assert verb.title and verb.text.endswith((".", "?", "!")) and verb.rule in rules, verb
        assert len(verb.letter) <= 1
    for chart in game.charts():
        assert chart.title and chart.rule in rules, chart.id
        assert chart.provenance in ("rulebook", "published", "reconstructed", "user"), chart.id
        assert chart.rows and all(len(row) == len(chart.columns) for row in chart.rows), chart.id
        assert all(isinstance(cell, str) for row in chart.rows for cell in row)
    assert len({chart.id for chart in game.charts()}) == len(game.charts())


def offered_in(name: str, lesson: Lesson) -> set[str]:
    """All that a learner is asked and offered in a few battles, as a cue may name it: prompts, verbs, keys, labels."""
    found: set[str] = set()
    for seed in range(8):
        session, player = start(name, lesson.scenario, seed), RandomPlayer(seed)
        while (ask := session.ask) is not None:
            if ask.side == lesson.side:
                found |= {word for option in ask.options for word in (option.verb, option.key, option.label)}
                found.add(ask.prompt)
            session.answer(player.choose(None, ask), trusted=True)
    return found


@each_game
def test_lessons_are_about_what_there_is(game: Game) -> None:
    rules, verbs = known(game), {verb.verb for verb in game.verbs()}
    for lesson in game.lessons():
        _, scenario = load(game.name, lesson.scenario)
        assert lesson.side in scenario.sides and lesson.minutes > 0 and lesson.seed
        battle = start(game.name, lesson.scenario).battle
        board = {hex.id for hex in game.board(scenario).hexes}
        offered = offered_in(game.name, lesson)
        for step in lesson.steps:
            for cue in (step.when, step.done):
                assert cue.answered in {"", *verbs}, step.id
                assert cue.offered in verbs or any(each.startswith(cue.offered) for each in offered), step.id
            assert not step.rule or step.rule in rules, step.id
            places = {"log", "options", "undo", "pass", "tracks"} | set(game.names(battle)) | board
            assert set(step.point) <= places, step.id
            assert step.done != Cue(), step.id
        for cue in (*(step.when for step in lesson.steps), *(line.when for line in lesson.lines)):
            asked = cue.asked.lower()
            assert any(asked in each.lower() for each in offered), f"no question says {cue.asked!r}"


def test_the_phase_is_that_of_the_view(battle: Battle) -> None:
    session = start(*battle, 72)
    for _ in range(20):
        seen = session.game.view(session.battle, session.scenario.sides[0])
        assert session.game.turn_of(session.battle) == (seen.turn, seen.phase)
        play(session, 73, 9)


def test_counters_have_their_figures(battle: Battle) -> None:
    session = start(*battle, 74)
    play(session, 75, 150)
    for side in ("", *session.scenario.sides):
        for unit in session.game.view(session.battle, side).units:
            assert unit.short and (unit.states or not unit.badges), unit


def test_forces_and_losses_tell_no_place(battle: Battle) -> None:
    session = start(*battle, 76)
    play(session, 77)
    game, scenario = session.game, session.scenario
    for told in (game.forces(scenario), game.losses(session.battle)):
        assert set(told) == set(scenario.sides)
        for line in (line for lines in told.values() for line in lines):
            assert line[0].isdigit() and " in " not in line and " at " not in line, line
    assert all(game.forces(scenario).values())


def test_tools_know_what_a_side_knows(battle: Battle, seed: int) -> None:
    """Sight and fields of fire are the same whether or not there is something that the side does not know of."""
    session = start(*battle, 78 + seed)
    for step in range(4):
        play(session, 79 + step, 40)
        game = session.game
        for side in session.scenario.sides:
            seen = game.view(session.battle, side)
            known_to = game.battle(session.scenario, game.copy(session.state), session.dice)
            game.conceal(known_to, side)
            placed = [unit for unit in seen.units if unit.place][:3]
            for unit in placed:
                try:
                    field = game.field_of_fire(session.battle, side, unit.id)
                except GrognardError:
                    continue  # an empty gun, or a unit that waits in an aircraft
                assert [ring.range for ring in field.rings] == sorted({ring.range for ring in field.rings})
                assert {place.state for place in field.places} <= {"clear", "degraded", "blocked"}
                assert all(-1 <= place.ring < len(field.rings) for place in field.places)
                line = game.sight(session.battle, side, unit.place, field.places[-1].place).view()
                again = game.field_of_fire(known_to, side, unit.id)
                assert msgspec.json.encode(again) == msgspec.json.encode(field)
                assert game.sight(known_to, side, line.start, line.end).view() == line
            shown = {unit.id for unit in seen.units}
            for id in game.names(session.battle):
                if id not in shown:
                    with pytest.raises(GrognardError):
                        game.field_of_fire(session.battle, side, id)


@each_game
def test_every_choice_of_a_random_battle_works(game: Game) -> None:
    choices = game.random_choices()
    usual = {choice.name: choice.usual for choice in choices}
    for choice in choices:
        assert choice.usual in choice.values
        for value in choice.values:
            scenario = game.random_battle(**{**usual, choice.name: value}, seed=5)
            assert scenario.sides
