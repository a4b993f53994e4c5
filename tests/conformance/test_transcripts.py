"""The beginnings of some games of the transcripts; ``python -m tests.transcripts`` plays all of them to their ends."""

from __future__ import annotations

import pytest

from tests import transcripts
from tests.conformance.conftest import LONG
from tests.transcripts import LENGTHS, Played, difference, games, kept

#: How far a game is followed here, by player; all of it with GROGNARD_LONG.
BEGINNING = {"random": 150, "greedy": 20} if LONG == 1 else LENGTHS
PLAYED = [played for played in games() if LONG > 1 or played.seed == 0]


@pytest.mark.parametrize("played", PLAYED, ids=lambda played: f"{played.game}-{played.name.replace(' ', '-')}")
def test_a_game_goes_as_it_went(played: Played) -> None:
    assert difference(played, BEGINNING[played.player]) == ""


def test_every_game_has_a_transcript_and_no_other() -> None:
    for game in {played.game for played in games()}:
        assert list(kept(game)) == sorted(played.name for played in games() if played.game == game)


def test_a_game_that_goes_another_way_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    one = next(played for played in PLAYED if played.player == "random")
    others = {one.name: kept(one.game)[one._replace(seed=1).name]}
    monkeypatch.setattr(transcripts, "kept", lambda game: others)
    assert difference(one, 20) == "differs in answers 1 to 10"
    assert difference(one._replace(seed=7), 20) == "no transcript of this game"
