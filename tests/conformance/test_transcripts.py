"""The beginnings of some games of the transcripts; ``python -m tests.transcripts`` plays all of them to their ends."""

from __future__ import annotations

import pytest

from tests import transcripts
from tests.conformance.conftest import LONG
from tests.transcripts import BEGINNINGS, FOLDER, LENGTHS, TOLD, Played, difference, games, kept

#: How far a game is followed here, by player; all of it with GROGNARD_LONG.
BEGINNING = BEGINNINGS if LONG == 1 else LENGTHS
PLAYED = [played for played in games() if LONG > 1 or played.seed == 0]


@pytest.mark.parametrize("played", PLAYED, ids=lambda played: f"{played.game}-{played.name.replace(' ', '-')}")
def test_a_game_goes_as_it_went(played: Played) -> None:
    assert difference(played, BEGINNING[played.player]) == ""


def test_every_game_has_a_transcript_and_no_other() -> None:
    for game in {played.game for played in games()}:
        names = sorted(played.name for played in games() if played.game == game)
        assert list(kept(game)) == list(kept(game, TOLD)) == names


def test_a_game_that_goes_another_way_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    one = next(played for played in PLAYED if played.player == "random")
    others = {one.name: kept(one.game)[one._replace(seed=1).name]}
    monkeypatch.setattr(transcripts, "kept", lambda game: others)
    assert difference(one, 20) == "differs in answers 1 to 10"
    assert difference(one._replace(seed=7), 20) == "no transcript of this game"


def test_what_is_told_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    one = min(
        (played for played in PLAYED if played.player == "random"),
        key=lambda played: len(kept(played.game)[played.name]),
    )
    told = kept(one.game, TOLD)[one.name]
    files = {FOLDER: kept(one.game), TOLD: {one.name: [*told[:-1], "nobody:0.0=1"]}}
    monkeypatch.setattr(transcripts, "kept", lambda game, folder=FOLDER: files[folder])
    assert difference(one, BEGINNINGS["random"]) == f"told nobody:0.0=1; now {told[-1]}"
