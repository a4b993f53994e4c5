"""Elo from records of games."""

from __future__ import annotations

from random import Random

from grognard.players.ratings import Record, rate, wilson


def test_records_add_up_and_can_be_turned_round() -> None:
    record = Record(3, 1, 2) + Record(1, 0, 0)
    assert record == Record(4, 1, 2) and record.games == 7 and record.points == 5.0
    assert record.turned == Record(1, 4, 2)
    assert record.of_decided == 0.8 and Record(0, 0, 3).of_decided is None


def test_equal_players_have_equal_ratings_and_more_games_smaller_margins() -> None:
    few = rate(["a", "b"], {("a", "b"): Record(5, 5, 0)})
    many = rate(["a", "b"], {("a", "b"): Record(500, 500, 0)})
    assert all(abs(each.elo) < 1e-6 for each in few + many)
    assert many[0].margin < few[0].margin / 5


def test_who_always_wins_has_a_rating_with_an_end() -> None:
    best, worst = rate(["a", "b"], {("b", "a"): Record(0, 20, 0)})
    assert (best.player, worst.player) == ("a", "b")
    assert 200 < best.elo < 500 and best.elo == -worst.elo


def test_draws_count_as_halves() -> None:
    drawn = rate(["a", "b"], {("a", "b"): Record(50, 0, 50)})
    won = rate(["a", "b"], {("a", "b"): Record(75, 25, 0)})
    assert abs(drawn[0].elo - won[0].elo) < 1e-6


def test_ratings_are_found_again_from_games_of_known_strength() -> None:
    true = {"a": 150.0, "b": 0.0, "c": -150.0}
    rng = Random(3)
    records = {}
    for one, other in (("a", "b"), ("b", "c"), ("a", "c")):
        chance = 1 / (1 + 10 ** ((true[other] - true[one]) / 400))
        wins = sum(rng.random() < chance for _ in range(2000))
        records[one, other] = Record(wins, 2000 - wins)
    for each in rate(list(true), records):
        assert abs(each.elo - true[each.player]) < 1.5 * each.margin


def test_players_that_met_nobody_stay_in_the_middle() -> None:
    assert [each.elo for each in rate(["a", "b"], {})] == [0.0, 0.0]


def test_intervals_hold_the_rate_and_stay_between_none_and_all() -> None:
    for wins, games in ((0, 10), (10, 10), (7, 10), (0, 0)):
        low, high = wilson(wins, games)
        assert 0 <= low <= (wins / games if games else 0.5) <= high <= 1
