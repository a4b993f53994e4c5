"""Runs: in processes, stopped and gone on with, and kept whole whatever happens."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import polars as pl
import pytest

import grognard
from grognard.core.errors import GrognardError, MalformedError
from grognard.lab import pool
from grognard.lab.frames import Frames, read_frames
from grognard.lab.journal import Journal
from grognard.lab.record import GameRecord
from grognard.lab.run import play_series
from tests.lab.test_series import small


def test_processes_play_the_same_games_as_one(tmp_path: Path) -> None:
    series = small(6)
    alone = play_series(series, jobs=1)
    together = play_series(series, jobs=2)
    assert [record.outcome for record in alone] == [record.outcome for record in together]


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    """Stopped in the middle and gone on with, it has every game once, and they are the games of an unbroken run."""
    series = small(6)
    journal = Journal.begin(tmp_path / "run", series)
    seen: list[int] = []

    def stop(record: GameRecord) -> None:
        seen.append(record.number)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_series(series, jobs=1, journal=journal, progress=stop)
    assert [record.number for record in journal.records()] == [0, 1, 2]
    again = Journal.begin(tmp_path / "run", series, resume=True)
    rest: list[int] = []
    records = play_series(series, jobs=1, journal=again, progress=lambda record: rest.append(record.number))
    assert rest == [3, 4, 5]
    assert [record.outcome for record in records] == [record.outcome for record in play_series(series, jobs=1)]


def test_a_torn_end_is_cut_off(tmp_path: Path) -> None:
    series = small(3)
    journal = Journal.begin(tmp_path, series)
    play_series(series, jobs=1, journal=journal)
    whole = journal.path.read_bytes()
    for cut in (1, 9, 60):
        journal.path.write_bytes(whole[:-cut])
        mended = Journal.begin(tmp_path, series, resume=True)
        assert [record.number for record in mended.records()] == [0, 1]
        mended.add(mended.records()[0])  # written twice, it counts once
        assert [record.number for record in mended.records()] == [0, 1]


def test_a_folder_is_not_overwritten(tmp_path: Path) -> None:
    series = small()
    Journal.begin(tmp_path / "run", series)
    with pytest.raises(GrognardError, match="--resume"):
        Journal.begin(tmp_path / "run", series)
    with pytest.raises(GrognardError, match="games was 2, not 5"):
        Journal.begin(tmp_path / "run", small(5), resume=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(GrognardError, match="not empty"):
        Journal.begin(tmp_path / "other", series)
    with pytest.raises(MalformedError, match="no run"):
        Journal.open(tmp_path / "other")


def _die(number: int) -> bytes:
    """As `pool._play`, but the first worker that gets game 2 dies with it."""
    sign = Path(os.environ["GROGNARD_TEST_DIED"])
    if number == 2 and not sign.exists():
        sign.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return _real(number)


_real = pool._play


def test_a_worker_that_dies_loses_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign = tmp_path / "died"
    monkeypatch.setenv("GROGNARD_TEST_DIED", str(sign))
    monkeypatch.setattr(pool, "_play", _die)
    series = small(6)
    records = list(pool.play_on_cores(series, range(6), 2))
    assert sign.exists()
    assert sorted(record.number for record in records) == list(range(6))
    assert sorted(record.outcome for record in records) == sorted(
        each.outcome for each in pool.play_here(series, range(6))
    )


def test_simulate_returns_a_frame_and_keeps_the_tables(tmp_path: Path) -> None:
    frame = grognard.simulate("first_steps", games=4, players=("random", "random"), seed="f", jobs=1, out=tmp_path)
    assert isinstance(frame, pl.DataFrame)
    assert frame.height == 4
    assert frame["series_seed"].unique().to_list() == ["f"]
    kept = read_frames(tmp_path)
    for name, table in kept.tables.items():
        assert pl.read_parquet(tmp_path / f"{name}.parquet").equals(table), name
        assert table.height > 0, name
    assert kept.games.equals(frame)


def test_a_run_without_games_makes_empty_tables() -> None:
    assert all(table.height == 0 for table in Frames([], small()).tables.values())
