"""The player that looks ahead."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from math import inf
from random import Random
from time import monotonic
from typing import Any
from weakref import ref

import pytest
from tests.conformance.conftest import start
from tests.core.toy import ToyScenario
from tests.players.toy_tactics import TACTICAL, ToyTactics, opened

from grognard.core.ask import Ask
from grognard.core.battle import Battle
from grognard.core.dice import total
from grognard.core.errors import GrognardError
from grognard.core.packing import open_scenario_of, pack, unpack
from grognard.core.tactics import Clock, tactics_of
from grognard.players import gc_pause, worker_processes
from grognard.players import playouts as playouts_module
from grognard.players.gc_pause import MANY, OFTEN, gc_paused, settle
from grognard.players.greedy import propose
from grognard.players.playouts import FAILED, LEAST, WORTH_WAITING, Judgement, Line, Playouts, Score, Settings
from grognard.players.random import RandomPlayer
from grognard.players.search import SearchPlayer
from grognard.players.stratified_dice import BLOCK, Spread, StratifiedDice


def soon() -> float:
    return time.monotonic() + 60


def test_a_fixed_number_of_rounds_gives_the_same_choice_and_the_same_thought() -> None:
    probe = opened().probe()
    one, other = SearchPlayer(3, rounds=12), SearchPlayer(3, rounds=12)
    assert one.choose_from(probe, soon()) == other.choose_from(probe, soon())
    assert one.thought is not None and other.thought is not None
    assert one.thought.options == other.thought.options
    assert one.thought.looked > 12
    assert one.failed == 0


def test_it_finds_what_its_proposals_do_not_know() -> None:
    session, settings = opened(), Settings(turns=1)
    playouts = Playouts(session.probe(), tactics_of(session.game, session.scenario), "seed", settings)
    scores = playouts.race([Line("wait"), Line("shoot r0 b0")], [0.0, -1.0], iter(range(300)), Clock.of(60))
    assert scores[1].judge(-1.0, settings)[0] > 0, "to shoot is better than to wait, though it was thought worse"


def test_an_answer_is_at_hand_when_time_is_up() -> None:
    probe = opened().probe()
    player = SearchPlayer(1)
    assert player.choose_from(probe, time.monotonic() - 1).startswith("shoot")
    assert player.thought is not None and player.thought.looked == 0


def test_a_candidate_that_falls_behind_is_given_up() -> None:
    session = opened()
    settings = Settings(trust=1.0, spread=1.0)
    playouts = Playouts(session.probe(), tactics_of(session.game, session.scenario), "seed", settings)
    scores = playouts.race([Line("shoot r0 b0"), Line("wait")], [0.0, -50.0], iter(range(100)), Clock.of(60))
    assert scores[1].visits == LEAST


def test_scores_add_up_and_are_judged_against_what_was_thought_before() -> None:
    settings = Settings(trust=2.0, spread=10.0, bias=0.0)
    assert Score().judge(-3.0, settings) == (-3.0, 2.0, 2.0)
    score = Score()
    for _ in range(50):
        score.add(Score(1, 0.5, 1, 8.0, 64.0))
    judged = score.judge(-3.0, settings)
    assert 6.0 < judged.better < 8.0 and judged.deviation < 0.6
    assert judged.taken(1.0) and not judged.taken(99.0), "what was proposed first is not given up for a trifle"
    assert score.mean == 0.5


def test_further_playouts_promise_what_a_change_of_mind_may_bring() -> None:
    rng = Random(1)
    for judged in (Judgement(0.5, 2.0, 1.5), Judgement(1.3, 2.0, 0.8), Judgement(-2.0, 1.0, 1.0)):
        # What would come out, tried often.
        later = [rng.gauss(judged.better, judged.open) for _ in range(40_000)]
        gains = [each if each > 0.7 * judged.deviation else 0.0 for each in later]
        assert judged.promise(0.7) == pytest.approx(sum(gains) / len(gains), abs=0.03)
    assert Judgement(-9.0, 1.0, 0.5).promise(0.7) == pytest.approx(0.0, abs=1e-6)
    assert Judgement(0.5, 2.0, 0.0).promise(0.7) == 0.0, "all is seen"


@pytest.mark.parametrize(("first", "other", "ends"), [("shoot r0 b0", "wait", True), ("wait", "shoot r0 b0", False)])
def test_when_more_playouts_promise_nothing_the_first_stands(
    first: str, other: str, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To shoot is better. Whoever thought so is soon sure of it; whoever did not looks as long as he may."""
    monkeypatch.setattr(playouts_module, "HOPE", 99.0)  # nobody is given up for other reasons
    session, settings = opened(), Settings(turns=1, bias=0.0)
    playouts = Playouts(session.probe(), tactics_of(session.game, session.scenario), "seed", settings)
    scores = playouts.race([Line(first), Line(other)], [0.0, 0.0], iter(range(400)), Clock.of(60))
    judged = scores[1].judge(0.0, settings)
    assert judged.taken(settings.sure) is not ends
    assert BLOCK <= scores[1].visits < 400 if ends else scores[1].visits == 400
    assert not ends or judged.promise(settings.sure) < WORTH_WAITING


def test_another_way_to_the_same_place_is_not_raced_on() -> None:
    session = opened()
    playouts = Playouts(session.probe(), tactics_of(session.game, session.scenario), "seed", Settings())
    scores = playouts.race([Line("wait"), Line("wait")], [0.0, 0.0], iter(range(100)), Clock.of(60))
    assert scores[1].same and scores[1].visits == LEAST


def test_two_ways_are_the_same_if_they_end_alike_or_come_to_the_same_for_long() -> None:
    assert not Score().same
    assert Score(4, 0.4, 4, 0.0, 0.0, alike=4).same, "the same state after as many throws, every time"
    assert not Score(4, 0.4, 4, 0.0, 0.0, alike=3).same, "a shot that has not hit yet"
    assert Score(20, 2.0, 2 * BLOCK, 0.0, 0.0).same and not Score(20, 2.0, 2 * BLOCK, 3.0, 9.0).same


@pytest.mark.parametrize(("seconds", "candidates", "turns"), [(0.001, 6, 4), (0.49, 4, 4), (1.5, 3, 2), (9.0, 3, 2)])
def test_where_playouts_take_long_fewer_candidates_race_and_then_less_far(
    seconds: float, candidates: int, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten seconds are left for rounds, of which there shall be five."""
    session = opened()
    monkeypatch.setattr(Playouts, "try_out", lambda *_: seconds)
    monkeypatch.setattr(Clock, "left", 10.0)
    playouts = Playouts(session.probe(), tactics_of(session.game, session.scenario), "seed", Settings())
    found, fit = SearchPlayer(1)._within(Clock.of(10), playouts, [Line(key) for key in "abcdef"])
    assert (fit, found.settings.turns) == (candidates, turns)
    assert (found is playouts) == (turns == Settings().turns)


@pytest.mark.parametrize(("seconds", "candidates", "looks"), [(0.5, 4, 3), (1.0, 3, 2), (2.0, 3, 1), (9.0, 3, 1)])
def test_where_playouts_take_long_they_are_looked_at_less_often(
    seconds: float, candidates: int, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened()
    monkeypatch.setattr(Playouts, "try_out", lambda *_: seconds)
    monkeypatch.setattr(Clock, "left", 10.0)
    playouts = Playouts(session.probe(), tactics_of(session.game, session.scenario), "seed", Settings(looks=3))
    found, fit = SearchPlayer(1)._within(Clock.of(10), playouts, [Line(key) for key in "abcdef"])
    assert (fit, found.settings.looks, found.settings.turns) == (candidates, looks, Settings().turns)


class Watched(ToyTactics):
    """Answers with the next figure whenever it is asked how a battle stands, and notes when that was."""

    def __init__(self, *figures: float) -> None:
        self.figures, self.when = iter(figures), list[int]()

    def standing(self, battle: Battle[Any], side: str) -> float:
        self.when.append(battle.state.shots)
        return next(self.figures)


def test_every_look_at_a_playout_counts_the_same() -> None:
    tactics = Watched(0.1, 0.2, 0.6)
    playouts = Playouts(opened().probe(), tactics, "seed", Settings(turns=2, looks=3))
    assert playouts.play(Line("wait"), 0, Clock.of(60)) == pytest.approx(0.3)
    assert tactics.when == [2, 4, 6], "each after two more changes of initiative"


def test_a_battle_that_ends_before_the_last_look_counts_as_it_ended() -> None:
    state = TACTICAL.begin(ToyScenario())
    state.last = 3
    session, seen = opened(state=state), set[str]()
    for number in range(40):
        tactics = Watched(0.1, 0.2, 0.6)
        playouts = Playouts(session.probe(), tactics, "seed", Settings(turns=2, looks=3))
        value = playouts.play(Line("shoot r0 b0"), number, Clock.of(60))
        result = TACTICAL.result(TACTICAL.battle(session.scenario, playouts.end[0], session.battle.dice))
        assert result is not None and tactics.when == [2]
        ended = {"red": 1.0, "": 0.0, "blue": -1.0}[result.winner]
        assert value == pytest.approx((0.1 + 2 * ended) / 3)
        seen.add(result.winner)
    assert len(seen) > 1


def test_a_playout_goes_on_between_looks_until_all_is_quiet_or_long_enough() -> None:
    """With one answer between looks at the least, and two at the most, nobody waits for a change of initiative."""
    tactics = Watched(0.0, 0.0, 0.0)
    playouts = Playouts(opened().probe(), tactics, "seed", Settings(turns=99, looks=3, answers=1, most=2))
    playouts.play(Line("wait"), 0, Clock.of(60))
    assert 3 <= playouts.answers <= 6 and len(tactics.when) == 3


def test_how_often_one_looks_is_for_the_game_to_say() -> None:
    session = start("ost", "mill_farm", 4)
    player = SearchPlayer(1, rounds=1)
    player.choose_from(session.probe(), soon())
    assert player.settings.looks == tactics_of(session.game, session.scenario).looks > Settings().looks


def test_thoughts_leave_no_garbage_that_holds_itself_together() -> None:
    session = opened()
    playouts = Playouts(session.probe(), tactics_of(session.game, session.scenario), "seed", Settings())
    battle = ref(playouts._begin(0)[0])
    assert battle() is None


def test_the_garbage_collector_waits_until_an_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    collecting: list[bool] = []
    race = Playouts.race

    def watched(self: Playouts, *args: Any) -> list[Score]:
        collecting.append(gc.isenabled())
        return race(self, *args)

    monkeypatch.setattr(Playouts, "race", watched)
    SearchPlayer(1, rounds=2).choose_from(opened().probe(), inf)
    assert collecting == [False] and gc.isenabled()
    over = opened().probe()
    monkeypatch.setattr(type(over), "ask", None)
    with pytest.raises(GrognardError):
        SearchPlayer(1).choose_from(over, inf)
    assert gc.isenabled(), "whatever becomes of the thought"
    with gc_paused(), gc_paused():
        assert not gc.isenabled()
    assert gc.isenabled()
    full: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: full.append(1))
    for seconds, took, wanted in ((OFTEN - 9, 0.1, 0), (OFTEN + 9, 1.0, 0), (OFTEN + 9, 0.1, 1), (3100, 1.0, 2)):
        monkeypatch.setattr(gc_pause, "_latest", [monotonic() - seconds])
        monkeypatch.setattr(gc_pause, "_took", [took])
        with gc_paused():
            assert len(full) == wanted, "all is gone through before a thought, but seldom"
    gc.disable()  # by somebody who does not want it at all
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_a_long_thought_leaves_is_not_gone_through_before_its_answer_is_told() -> None:
    gc.collect()
    gc.unfreeze()
    try:
        with gc_paused():
            few = [[number] for number in range(MANY // 10)]
        assert gc.get_freeze_count() == 0
        with gc_paused():
            many = [[number] for number in range(2 * MANY)]
        assert gc.get_freeze_count() > 2 * MANY and gc.get_count()[0] < MANY // 10
        assert len(few) < len(many)
    finally:
        gc.unfreeze()


class Knot:
    """Holds itself together."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_known_before_a_battle_is_not_walked_again_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc_pause, "_latest", [-1e9])
    garbage, kept = Knot(), Knot()
    gone, stays = ref(garbage), ref(kept)
    del garbage
    try:
        settle()
        assert gone() is None and gc.get_freeze_count() > 0
        assert all(each is not kept for each in gc.get_objects()), "the collector does not look at it"
        del kept
        gc.collect()
        assert stays() is not None
        settle()
        assert stays() is not None, "not so soon again"
        gc_pause._latest[0] = -1e9
        settle()
        assert stays() is None, "before the next battle it does"
        gc.unfreeze()
        gc_pause._latest[0] = -1e9
        gc.disable()  # by somebody who does not want the collector now
        settle()
        assert gc.get_freeze_count() == 0
    finally:
        gc.enable()
        gc.unfreeze()


def test_throws_are_spread_evenly_over_a_block_of_rounds() -> None:
    spread = Spread("seed")
    for count in range(20):
        levels = [spread.level(number, "attack", "r0", count) for number in range(BLOCK)]
        assert sorted(int(level * BLOCK) for level in levels) == list(range(BLOCK))
    assert spread.level(0, "attack", "r0", 0) != Spread("other").level(0, "attack", "r0", 0)
    first = [spread.level(number, "attack", "r0", 0) for number in range(800)]
    other = [spread.level(number, "attack", "r0", 1) for number in range(800)]
    both = sum((one - 0.5) * (two - 0.5) for one, two in zip(first, other)) / 800 * 12
    assert abs(both) < 0.2, "one throw tells nothing about the next"


def test_a_throw_falls_alike_in_a_round_whatever_was_thrown_in_between() -> None:
    spread, rolled = Spread("seed"), []
    for more in (0, 3):
        session = opened()
        battle = session.probe().battle
        battle.dice = StratifiedDice(spread, 5).of(battle)
        for _ in range(more):
            battle.roll("blue", "morale", "2d6", total(), unit="b0")
        rolled.append([battle.roll("red", "attack", "2d6", total(), unit="r0") for _ in range(6)])
        assert battle.dice.position == more + 6
    assert rolled[0] == rolled[1] and len(set(rolled[0])) > 1


def test_what_was_tried_out_beforehand_is_not_played_again() -> None:
    session = opened()
    tactics = tactics_of(session.game, session.scenario)
    one, other = (Playouts(session.probe(), tactics, "seed", Settings()) for _ in range(2))
    assert one.try_out(Line("wait"), Clock.of(60)) > 0
    answers = one.answers
    assert one.play(Line("wait"), 0, Clock.of(60)) == other.play(Line("wait"), 0, Clock.of(60))
    assert one.answers == answers == other.answers and one.end == other.end
    one.play(Line("wait"), 0, Clock.of(60))
    assert one.answers == 2 * answers, "once only"


def test_what_playouts_may_be_wrong_by_is_doubted() -> None:
    score = Score()
    for _ in range(50):
        score.add(Score(1, 0.5, 1, 4.0, 16.0))
    assert score.judge(-1.0, Settings(bias=1.0)).taken(1.0)
    assert not score.judge(-1.0, Settings(bias=9.0)).taken(1.0)
    session = start("bolt_action", "first_steps", 4)
    player = SearchPlayer(1, rounds=1)
    player.choose_from(session.probe(), soon())
    assert player.settings.bias == tactics_of(session.game, session.scenario).doubt > Settings().bias


@pytest.mark.parametrize(("game", "name"), [("ost", "mill_farm"), ("bolt_action", "crossroads")])
def test_set_up_is_left_to_the_proposals(game: str, name: str) -> None:
    probe = start(game, name, 4).probe()
    player = SearchPlayer(1, rounds=6)
    best = propose(tactics_of(probe.game, probe.scenario), probe, Clock.of(60))
    assert len(best) > 1
    assert player.choose_from(probe, soon()) == best[0].key
    assert player.thought is not None and player.thought.looked == 0


class Lost(ToyTactics):
    """Never knows how to go on."""

    def best(self, battle: Battle[Any], ask: Ask, clock: Clock) -> str:
        raise LookupError("no idea")


def test_what_leads_nowhere_is_not_tried_for_ever() -> None:
    session = opened()
    playouts = Playouts(session.probe(), Lost(session.scenario), "seed", Settings())
    scores = playouts.race([Line("wait"), Line("shoot r0 b0")], [0.0, 0.0], iter(range(100)), Clock.of(60))
    assert playouts.failed == FAILED and not scores[1].visits


@pytest.fixture
def no_workers_left() -> Iterator[None]:
    yield
    worker_processes.close_workers()


def test_a_parcel_stands_before_the_same_question() -> None:
    session = start("ost", "first_patrol", 4)
    rng = RandomPlayer(5)
    for count in range(120):
        assert session.ask is not None
        if count % 5 == 0:
            probe = session.probe()
            packed = pack(probe)
            again = unpack(packed, probe.game, open_scenario_of(packed, probe.game))
            assert again.ask is not None and probe.ask is not None
            assert again.digest == probe.digest
            assert again.ask.options == probe.ask.options
            battle, _, _ = again.trial()
            other, _, _ = probe.trial()
            assert probe.game.encode(battle.state) == probe.game.encode(other.state)
        session.answer(rng.choose(None, session.ask), trusted=True)


def test_two_processes_find_the_same_every_time_and_end_when_told(no_workers_left: None) -> None:
    session = start("ost", "first_patrol", 4)
    rng = RandomPlayer(6)
    while session.ask is not None and not (session.ask.prompt.startswith("Your Impulse")):
        session.answer(rng.choose(None, session.ask), trusted=True)
    probe = session.probe()
    settings = Settings(candidates=3, answers=8, most=20)
    found = []
    for _ in range(2):
        player = SearchPlayer(3, rounds=6, workers=2, settings=settings)
        key = player.choose_from(probe, time.monotonic() + 600)
        assert player.thought is not None
        found.append((key, player.thought.options, player.thought.looked))
    assert found[0] == found[1]
    (worker,) = worker_processes._workers
    assert worker.alive
    alone = SearchPlayer(3, rounds=6, settings=settings)
    alone.choose_from(probe, time.monotonic() + 600)
    assert alone.thought is not None
    assert found[0][1][0].visits == alone.thought.options[0].visits == 6, "the rounds are shared out"
    worker_processes.close_workers()
    assert not worker_processes._workers and worker._process.poll() is not None


def test_a_worker_that_dies_is_done_without(no_workers_left: None) -> None:
    session = start("ost", "first_patrol", 4)
    probe = session.probe()
    worker_processes.warm_up(2)
    (worker,) = worker_processes._workers
    worker._process.kill()
    worker._process.wait()
    player = SearchPlayer(3, workers=2)
    assert player.choose_from(probe, time.monotonic() + 1.0)
    assert worker not in worker_processes._workers


@pytest.mark.parametrize(("rounds", "taken"), [(1, False), (LEAST - 1, False), (LEAST, True)])
def test_nobody_changes_his_mind_before_four_pairs_of_playouts(
    rounds: int, taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine time is up after a round or two: one lucky playout is no reason to leave the plan."""
    assert LEAST == 4
    session = opened()
    first = propose(tactics_of(session.game, session.scenario), session.probe(), Clock.of(60))[0].key

    def lucky(self: Playouts, line: Line, number: int, clock: Clock) -> float:
        return 0.0 if line.key == first else 0.9

    monkeypatch.setattr(Playouts, "play", lucky)
    player = SearchPlayer(1, rounds=rounds)
    key = player.choose_from(session.probe(), soon())
    assert (key != first) is taken
    assert player.thought is not None and player.thought.looked >= 2, "it did look"


def test_how_far_playouts_scatter_is_for_the_game_to_say() -> None:
    found = set()
    for game, scenario in (("ost", "mill_farm"), ("bolt_action", "first_steps")):
        session = start(game, scenario, 4)
        player = SearchPlayer(1, rounds=1)
        player.choose_from(session.probe(), soon())
        assert player.settings.spread == tactics_of(session.game, session.scenario).spread
        found.add(player.settings.spread)
    assert len(found) == 2, "each game has its own"
