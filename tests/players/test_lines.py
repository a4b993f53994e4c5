"""Search looks at other ways to go on with an answer, and keeps to the one for which it gave it."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import Any

import pytest
from tests.conformance.conftest import start

from grognard.core.ask import Ask, Option
from grognard.core.session import Session
from grognard.core.tactics import Clock, Proposal, tactics_of
from grognard.players.greedy import GreedyPlayer, propose
from grognard.players.playouts import Line, Playouts, Score, Settings
from grognard.players.search import Raced, SearchPlayer, _weighed
from grognard.players.seats import pick


@pytest.fixture
def impulse() -> Session:
    """Before the first Impulse in which somebody had best move."""
    session, greedy = start("ost", "first_patrol", 4), GreedyPlayer(1)
    while session.ask is not None:
        key = pick(greedy, session, inf)
        if session.ask.quiet and key.startswith("move "):
            return session
        session.answer(key)
    raise AssertionError("nobody ever moved")


def playouts_of(session: Session, settings: Settings | None = None) -> Playouts:
    tactics = tactics_of(session.game, session.scenario)
    return Playouts(session.probe(), tactics, "seed", settings or Settings())


def moving(session: Session) -> str:
    return pick(GreedyPlayer(1), session, inf)


def step_question(session: Session, key: str) -> Session:
    """A copy in which the answer has been given, before the step."""
    after = session.probe()
    after.answer(key)
    return after


def test_other_ways_to_go_on_are_those_that_would_be_proposed_after_the_first(impulse: Session) -> None:
    key = moving(impulse)
    found = playouts_of(impulse).other_lines(key, 3, Clock(inf))
    after = step_question(impulse, key)
    assert after.ask is not None
    proposals = tactics_of(impulse.game, impulse.scenario).propose(after.battle, after.ask, Clock(inf))
    assert [(line.then, line.prompt) for line, _ in found] == [(each.key, after.ask.prompt) for each in proposals[1:4]]
    assert [less for _, less in found] == [each.worth - proposals[0].worth for each in proposals[1:4]]
    assert all(line.label and line.key == key for line, _ in found)


def test_an_answer_without_a_question_after_it_has_no_other_ways(impulse: Session) -> None:
    assert playouts_of(impulse).other_lines("pass", 3, Clock(inf)) == []
    assert playouts_of(impulse).other_lines("no such answer", 3, Clock(inf)) == []


def test_a_line_is_played_as_it_says(impulse: Session) -> None:
    key = moving(impulse)
    playouts = playouts_of(impulse, Settings(turns=1, answers=1))
    unit = key.split()[1]
    playouts.play(Line(key), 0, Clock(inf))
    state: Any = playouts.end[0]
    usual = state.units[unit].hex
    ends = set()
    for line, _ in playouts.other_lines(key, 6, Clock(inf)):
        if line.then.startswith("step "):
            playouts.play(line, 0, Clock(inf))
            state = playouts.end[0]
            ends.add(state.units[unit].hex)
    assert ends - {usual}, "somebody who sets out another way comes to another place"


def race_won_by(monkeypatch: pytest.MonkeyPatch, good: int | None) -> list[list[Line]]:
    """Races in which one line comes out far better than the first; the lines that were raced."""
    raced: list[list[Line]] = []

    def race(self: Playouts, lines: list[Line], *_: Any) -> list[Score]:
        raced.append(lines)
        scores = [Score(50, 5.0, 50, 0.0, 0.0) for _ in lines]
        if good is not None:
            wanted = [n for n, line in enumerate(lines) if line.prompt][good]
            scores[wanted] = Score(50, 20.0, 50, 50 * 30.0, 50 * 900.0)
        return scores

    monkeypatch.setattr(Playouts, "race", race)
    return raced


def test_who_answers_for_the_sake_of_a_plan_keeps_to_it(impulse: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    raced = race_won_by(monkeypatch, 0)
    player = SearchPlayer(1, rounds=4)
    chosen = player.choose_from(impulse.probe(), inf)
    line = next(each for each in raced[0] if each.prompt)
    assert chosen == line.key and player.thought is not None
    assert player.thought.meant == (line.prompt, line.then)
    (shown,) = (each for each in player.thought.options if each.key == chosen)
    assert shown.label.endswith(f", then {line.label}") and shown.estimate == 0.4
    impulse.answer(chosen)
    race_won_by(monkeypatch, None)
    assert SearchPlayer(1, rounds=4).choose_from(impulse.probe(), inf) != line.then, "others would go another way"
    heir = SearchPlayer(1, rounds=4)
    heir.recall(player.thought)
    assert heir.choose_from(impulse.probe(), inf) == line.then, "who is told of the plan goes on with it"
    assert player.choose_from(impulse.probe(), inf) == line.then
    assert player.thought.meant == ("", ""), "it has been carried out"


def test_what_came_of_an_answer_in_thought_is_one_of_its_reasons(
    impulse: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    raced = race_won_by(monkeypatch, 0)
    player = SearchPlayer(1, rounds=4)
    player.choose_from(impulse.probe(), inf)
    assert player.thought is not None
    best = player.thought.options[0]
    assert best.key == player.thought.chosen
    assert all(one.worth >= other.worth for one, other in pairwise(player.thought.options))
    at_first = propose(tactics_of(impulse.game, impulse.scenario), impulse.probe(), Clock(inf))
    before = next(each.worth for each in at_first if each.key == best.key)
    assert best.reasons[-1].text == "played out 50 times"
    assert best.reasons[-1].worth == pytest.approx(best.worth - before, abs=0.02) and best.worth - before > 10
    impulse.answer(best.key)
    race_won_by(monkeypatch, None)
    assert player.choose_from(impulse.probe(), inf) == next(each for each in raced[0] if each.prompt).then
    told = {reason.text: reason.worth for reason in player.thought.options[0].reasons}
    assert told["it was part of the plan"] > 0


def test_what_is_not_surely_better_counts_for_no_more_than_what_is_taken(
    impulse: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def doubtful(self: Playouts, lines: list[Line], *_: Any) -> list[Score]:
        return [Score(4, 0.1, 4, 4 * 3.0 if n else 0.0, 4 * 100.0) for n in range(len(lines))]

    monkeypatch.setattr(Playouts, "race", doubtful)
    player = SearchPlayer(1, rounds=4)
    first = propose(tactics_of(impulse.game, impulse.scenario), impulse.probe(), Clock(inf))[0]
    assert player.choose_from(impulse.probe(), inf) == first.key
    assert player.thought is not None
    best, *others = player.thought.options
    assert best.worth == round(first.worth, 2) and all(each.worth <= best.worth for each in others)


def test_a_plan_is_given_up_for_something_better(impulse: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    raced = race_won_by(monkeypatch, 0)
    player = SearchPlayer(1, rounds=4)
    impulse.answer(player.choose_from(impulse.probe(), inf))
    meant = player.line.then
    raced.clear()

    def second_best(self: Playouts, lines: list[Line], *_: Any) -> list[Score]:
        raced.append(lines)
        better = Score(50, 20.0, 50, 50 * 30.0, 50 * 900.0)
        return [better if n == 1 else Score(50, 5.0, 50, 0.0, 0.0) for n in range(len(lines))]

    monkeypatch.setattr(Playouts, "race", second_best)
    chosen = player.choose_from(impulse.probe(), inf)
    assert raced[0][0].key == meant and chosen == raced[0][1].key != meant


def test_only_the_most_promising_lines_race(impulse: Session) -> None:
    probe, player = impulse.probe(), SearchPlayer(1, settings=Settings(candidates=2, lines=5, ways=4))
    assert probe.ask is not None
    proposals = tactics_of(impulse.game, impulse.scenario).propose(probe.battle, probe.ask, Clock(inf))
    lines, priors = player._lines(playouts_of(impulse), player._candidates(proposals), Clock(inf))
    assert lines[0] == Line(proposals[0].key) and len(lines) == 5
    assert priors[0] == 0 and priors[1:] == sorted(priors[1:], reverse=True)
    assert {line.key for line in lines} <= {each.key for each in proposals[:2]}
    plain = SearchPlayer(1, settings=Settings(candidates=2, lines=0))
    assert [line.prompt for line in plain._lines(playouts_of(impulse), proposals[:2], Clock(inf))[0]] == ["", ""]


def test_what_has_no_words_of_its_own_is_left_to_whoever_shows_it() -> None:
    ask = Ask("red", "where?", [Option("stay", label="Stay here")])
    line = Line("", 0, "then?", "fire", "Fire at b1")
    assert _weighed(Proposal("stay", 1.0), ask, Raced(line, Score()), 1.0, 1.0).label == "Stay here, then Fire at b1"
    assert _weighed(Proposal("stay", 1.0), ask, Raced(Line("stay"), Score()), 1.0, 1.0).label == "Stay here"
    assert _weighed(Proposal("pose 1 2 3", 1.0), ask, Raced(line, Score()), 1.0, 1.0).label == "pose 1 2 3"
