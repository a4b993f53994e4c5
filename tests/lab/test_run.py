"""Runs: in processes, stopped and gone on with, and kept whole whatever happens."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import grognard
from grognard.core.errors import GrognardError, MalformedError
from grognard.core.open_files import open_save
from grognard.core.session import Session
from grognard.lab import pool
from grognard.lab.frames import Frames, read_frames
from grognard.lab.game_rows import Failure, GameRecord, Played, pack, unpack
from grognard.lab.game_run import play_safely
from grognard.lab.journal import Journal, keep_failure
from grognard.lab.run import FailedGameError, play_numbers, play_series
from grognard.lab.series import Series
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
        mended.close()


def test_a_folder_is_not_overwritten(tmp_path: Path) -> None:
    series = small()
    Journal.begin(tmp_path / "run", series).close()
    with pytest.raises(GrognardError, match="--resume"):
        Journal.begin(tmp_path / "run", series)
    with pytest.raises(GrognardError, match="games was 2, not 5"):
        Journal.begin(tmp_path / "run", small(5), resume=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(GrognardError, match="not empty"):
        Journal.begin(tmp_path / "other", series)
    with pytest.raises(MalformedError, match="not a run"):
        Journal.open(tmp_path / "other")


def _die(series: Series, number: int) -> Played:
    """As ``play_safely``, but the first worker that gets game 2 dies with it."""
    sign = Path(os.environ["GROGNARD_TEST_DIED"])
    if number == 2 and not sign.exists():
        sign.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play_safely(series, number)


def _work_and_die(line: Connection, encoded: bytes) -> None:
    """A worker that dies once."""
    pool.play_safely = _die  # type: ignore[attr-defined]
    _work(line, encoded)


def _always_die(line: Connection, encoded: bytes) -> None:
    line.recv()
    os.kill(os.getpid(), signal.SIGKILL)


_work = pool._work


def test_a_worker_that_dies_loses_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign = tmp_path / "died"
    monkeypatch.setenv("GROGNARD_TEST_DIED", str(sign))
    monkeypatch.setattr(pool, "_work", _work_and_die)
    series = small(5)
    records = list(play_numbers(series, range(5), jobs=2))
    assert sign.exists()
    assert sorted(record.number for record in records) == list(range(5))
    alone = [each.outcome for each in play_numbers(series, range(5), jobs=1)]
    assert sorted(record.outcome for record in records) == alone


def test_a_game_that_kills_every_worker_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_work", _always_die)
    monkeypatch.setattr(pool, "PATIENCE", 1)
    series = small(2)
    with pytest.raises(GrognardError, match=r"game [01] \(first_steps, seed [0-9a-f]+\) crashed"):
        list(pool.play_on_cores(series, range(2), 2))


def test_a_stop_ends_the_workers_at_once() -> None:
    """Whoever stops taking games leaves no process behind."""
    playing = play_numbers(small(50), range(50), jobs=2)
    next(playing)
    assert len(multiprocessing.active_children()) == 2
    playing.close()
    assert multiprocessing.active_children() == []


def test_a_fault_of_the_program_names_the_game_and_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other games are played; of the one that broke off there is a saved game up to there, and the fault."""
    series = small(3)
    real = Session.answer

    def answer(self: Session, key: str, **more: Any) -> None:
        real(self, key, **more)
        if len(self.answers) == 7 and self.dice.seed.hex() == series.job(1).seed:  # type: ignore[attr-defined]
            raise ZeroDivisionError("a bug")

    monkeypatch.setattr(Session, "answer", answer)
    with pytest.raises(FailedGameError, match=rf"game 1 \(first_steps, seed {series.job(1).seed}\).*bug"):
        play_series(series, jobs=1)
    failures: list[Failure] = []
    records = play_series(series, jobs=1, failed=failures.append)
    assert [record.number for record in records] == [0, 2]
    assert (failures[0].number, failures[0].answers) == (1, 6)
    assert failures[0].answer
    assert unpack(pack(failures[0])) == failures[0]
    save = keep_failure(tmp_path, failures[0])
    assert "ZeroDivisionError: a bug" in save.with_suffix(".txt").read_text()
    monkeypatch.undo()
    session = open_save(save)
    assert len(session.answers) == 6
    session.answer(failures[0].answer)


def test_two_processes_cannot_write_to_one_run(tmp_path: Path) -> None:
    series = small()
    first = Journal.begin(tmp_path, series)
    with pytest.raises(GrognardError, match="another process"):
        Journal.begin(tmp_path, series, resume=True)
    first.close()
    Journal.begin(tmp_path, series, resume=True).close()


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(GrognardError, match="can't be written: Not a directory"):
        Journal.begin(tmp_path / "file" / "run", small())


def test_a_full_disk_keeps_what_is_done(tmp_path: Path) -> None:
    """A record that does not fit is taken back whole, so that the run goes on when there is room again."""
    series = small(2)
    journal = Journal.begin(tmp_path, series)
    records = play_series(series, jobs=1, journal=journal)
    size = journal.path.stat().st_size
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, old[1]))
    try:
        with pytest.raises(GrognardError, match="can't be written: File too large; 2 games are kept"):
            journal.add(records[0])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    journal.close()
    assert journal.path.stat().st_size == size


def _group(leader: int) -> list[str]:
    """The processes of a group that live."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, group = entry.read_text().rsplit(")", 1)[1].split()[:3]
        except OSError:
            continue
        if int(group) == leader and state != "Z":
            found.append(entry.parent.name)
    return found


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    """The whole group of processes is interrupted, as a terminal does it: no traceback, nobody left, rows kept."""
    words = ["simulate", "ost/training_ground", "--games", "4000", "--players", "random,random", "--jobs", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "grognard", *words, "--out", str(tmp_path / "run")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        journal = tmp_path / "run" / "games.journal"
        while process.poll() is None and not (journal.exists() and journal.stat().st_size):
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert "--resume" in said
    end = time.monotonic() + 20
    while _group(process.pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert _group(process.pid) == []
    assert read_frames(tmp_path / "run").games.height >= 1
    assert pl.read_parquet(tmp_path / "run" / "games.parquet").height >= 1


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


def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    """Workers do not run the script again that started them."""
    script = tmp_path / "script.py"
    script.write_text(
        "import grognard\n"
        "frame = grognard.simulate('ost/training_ground', games=2, players=('random', 'random'), jobs=2)\n"
        "print(frame.height)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_a_run_without_games_makes_empty_tables() -> None:
    assert all(table.height == 0 for table in Frames([], small()).tables.values())
