"""A series is closed: it carries everything that decides how it runs, and its games follow from its seed."""

from __future__ import annotations

import msgspec
import pytest

from grognard.core.errors import GrognardError, MalformedError, VersionError
from grognard.lab import game_run
from grognard.lab.game_rows import DECODER, ENCODER
from grognard.lab.game_run import play_job, replay_record, square
from grognard.lab.run import play_numbers
from grognard.lab.series import Series, make_series, read_series

RANDOM = ("random", "random")


def small(games: int = 2, **choices: object) -> Series:
    return make_series(["first_steps"], games=games, players=RANDOM, seed="small", **choices)  # type: ignore[arg-type]


def test_a_series_reads_back_as_it_was_written() -> None:
    series = make_series(["ost/mill_farm", "first_steps"], games=3, players=("random", "greedy"), swap=True, seed="s")
    again = read_series(series.encode(), "series.json")
    assert again == series
    assert again.digest == series.digest
    assert list(again.jobs()) == list(series.jobs())


def test_sides_are_swapped_with_the_same_dice() -> None:
    series = make_series(["ost/mill_farm", "first_steps"], games=3, players=("random", "greedy"), swap=True, seed="s")
    jobs = list(series.jobs())
    assert len(jobs) == series.size == 12
    for one, other in zip(jobs[::2], jobs[1::2]):
        assert (one.seed, one.field) == (other.seed, other.field)
        assert one.players == tuple(reversed(other.players))
    assert len({job.seed for job in jobs}) == 6
    # A part of a run is a fair part: the first round has every scenario and seating once.
    assert [(job.field, job.players[0]) for job in jobs[:4]] == [
        (0, "random"),
        (0, "greedy"),
        (1, "random"),
        (1, "greedy"),
    ]


def test_two_of_the_same_player_are_not_swapped() -> None:
    assert small(swap=True).size == small().size


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": 0}, "at least one"),
        ({"players": ("random",)}, "needs a player for each of american, german"),
        ({"players": ("random", "human")}, "no player called 'human'"),
        ({"players": ("random", "grandom")}, "did you mean 'random'"),
        ({"seconds": -1.0}, "write 0"),
        ({"limit": 0}, "at least one"),
        ({"words": ["first_steps", "first_steps"]}, "two scenarios of the series are called first_steps"),
    ],
)
def test_what_cannot_be_run_is_refused(change: dict[str, object], words: str) -> None:
    choices: dict[str, object] = {"games": 1, "players": RANDOM, "seed": "s"} | change
    scenarios = choices.pop("words", ["first_steps"])
    with pytest.raises(GrognardError, match=words):
        make_series(scenarios, **choices)  # type: ignore[arg-type]
    with pytest.raises(GrognardError, match="needs a scenario"):
        make_series([], games=1, players=RANDOM)


def test_players_with_a_count_can_play() -> None:
    series = make_series(["first_steps"], games=1, players=("search@20", "random"), seed="s")
    assert read_series(series.encode(), "x").job(0).players == ("search@20", "random")


def test_a_file_that_is_no_series_is_refused() -> None:
    for data in (b"{", b"[]", b'{"format": "grognard save"}'):
        with pytest.raises(MalformedError):
            read_series(data, "x")
    told = msgspec.json.decode(small().encode())
    with pytest.raises(VersionError, match="version 99"):
        read_series(msgspec.json.encode(told | {"version": 99}), "x")
    with pytest.raises(MalformedError):
        read_series(msgspec.json.encode(told | {"games": "many"}), "x")
    told["fields"][0]["rules"] = 99
    with pytest.raises(VersionError, match="rules version 99"):
        read_series(msgspec.json.encode(told), "x").fields[0].open()
    told["fields"][0]["game"] = "chess"
    with pytest.raises(MalformedError, match="chess"):
        read_series(msgspec.json.encode(told), "x").fields[0].open()


def test_the_same_seed_plays_the_same_games() -> None:
    one, other = list(play_numbers(small(), range(2), jobs=1)), list(play_numbers(small(), range(2), jobs=1))
    assert [record.outcome for record in one] == [record.outcome for record in other]
    assert one[0].digest != one[1].digest
    assert DECODER.decode(ENCODER.encode(one[0])) == one[0]


def test_a_game_is_played_again_from_its_row() -> None:
    series = small()
    record = play_job(series, series.job(1))
    session = replay_record(series, record)
    assert session.digest == record.digest
    assert session.result is not None
    assert (session.result.winner, session.result.reason) == (record.winner, record.reason)


def test_a_game_that_goes_on_too_long_is_stopped_and_says_so() -> None:
    series = small(limit=10)
    record = play_job(series, series.job(0))
    assert not record.finished
    assert record.answers == 10
    assert {side.won for side in record.sides} == {0.5}


@pytest.mark.parametrize("seconds, times", [(0.0, 0), (5.0, 1)])
def test_what_is_known_is_set_aside_where_answers_are_timed(
    seconds: float, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(game_run, "make_ready", lambda *_: done.append("ready"))
    monkeypatch.setattr(game_run, "settle", lambda: done.append("settled"))
    series = small(limit=2, seconds=seconds)
    play_job(series, series.job(0))
    assert done == ["ready", *["settled"] * times]


def test_the_rows_of_a_game_agree_with_each_other() -> None:
    series = make_series(["ost/mill_farm"], games=1, players=RANDOM, seed="rows")
    record = play_job(series, series.job(0))
    assert sum(side.won for side in record.sides) == 1.0
    for side in record.sides:
        of_kind = [row for row in record.by_kind if row.side == side.side]
        assert sum(row.lost for row in of_kind) == pytest.approx(side.lost)
        assert sum(row.worth for row in of_kind) == pytest.approx(side.force)
        assert sum(row.lost for row in record.by_place if row.side == side.side) <= side.lost + 1e-9
        last = [row for row in record.by_turn if row.side == side.side][-1]
        assert (last.score, last.lost) == (side.score, side.lost)
    assert record.answers == len(record.given) == sum(side.decisions for side in record.sides)
    assert record.turns == max(row.turn for row in record.by_turn)


def test_places_on_a_table_are_squares() -> None:
    assert square("71.99,0.2") == "71,1"
    assert square("K7") == "K7"
