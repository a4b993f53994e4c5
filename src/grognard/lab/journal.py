"""What a run has done so far, on disk: every game is written as it ends, and a torn end is cut off."""

from __future__ import annotations

import os
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from grognard.core.errors import Fault, GrognardError, MalformedError, VersionError
from grognard.lab.game_rows import DECODER, ENCODER, Failure, GameRecord
from grognard.lab.series import Series, read_series

try:
    import fcntl
except ImportError:  # not on Windows, where nobody is kept from running two at once
    fcntl = None  # type: ignore[assignment]

#: Each record is its length and checksum, then the record itself, packed.
HEAD = struct.Struct("<II")
#: So many seconds of games a power cut may cost; a process that dies costs none.
FLUSH = 1.0


class Journal:
    """The folder of a run: what it is to do, and the games that are done."""

    def __init__(self, folder: Path, series: Series) -> None:
        self.folder, self.series = folder, series
        self.path = folder / "games.journal"
        self._file: BinaryIO | None = None
        self._flushed = 0.0

    @classmethod
    def begin(cls, folder: Path, series: Series, *, resume: bool = False) -> Journal:
        """A folder for a series. One that holds a run already is gone on with only if asked, and if it is the same."""
        told = folder / "series.json"
        if told.exists():
            old = read_series(told.read_bytes(), str(told))
            if not resume:
                raise GrognardError(
                    f"{folder} already holds a run; continue it with --resume, or choose another folder"
                )
            if old.digest != series.digest:
                raise GrognardError(f"{folder} holds another series: {'; '.join(differences(old, series))}")
        elif folder.exists() and any(folder.iterdir()):
            raise GrognardError(f"{folder} is not empty and doesn't hold a run; choose another folder")
        journal = cls(folder, series)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            journal._own()
            if not told.exists():
                write_whole(told, series.encode())
            journal._mend()
        except OSError as error:
            journal.close()
            raise GrognardError(f"{folder}: can't be written: {error.strerror or error}") from None
        return journal

    @classmethod
    def open(cls, folder: Path) -> Journal:
        """The run of a folder."""
        told = folder / "series.json"
        if not told.is_file():
            raise MalformedError(
                [Fault(str(folder), 0, "", "not a run of games", "a folder made by `grognard simulate`")]
            )
        return cls(folder, read_series(told.read_bytes(), str(told)))

    def _own(self) -> None:
        """Open the file for this process alone: two that write to a run would play the same games."""
        self._file = self.path.open("ab", buffering=0)
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.close()
                raise GrognardError(
                    f"{self.folder}: another process is playing this run; wait for it, or stop it"
                ) from None

    def close(self) -> None:
        """Leave the run to others."""
        if self._file is not None:
            with suppress(OSError):
                os.fsync(self._file.fileno())
            self._file.close()
            self._file = None

    def _mend(self) -> None:
        """Cut off a record that was not written whole."""
        assert self._file is not None
        whole = sum(size for size, _ in self._read())
        if whole < self.path.stat().st_size:
            self._file.truncate(whole)

    def _read(self) -> Iterator[tuple[int, GameRecord]]:
        with self.path.open("rb") as file:
            while len(head := file.read(HEAD.size)) == HEAD.size:
                length, sum_ = HEAD.unpack(head)
                data = file.read(length)
                if len(data) < length or zlib.crc32(data) != sum_:
                    return
                try:
                    yield HEAD.size + length, DECODER.decode(zlib.decompress(data))
                except msgspec.ValidationError as error:
                    what = f"a game that this version cannot read: {error}"
                    raise VersionError([Fault(str(self.path), 0, "", what, "the version that played it")]) from None

    def records(self) -> list[GameRecord]:
        """The games that are done, by number; one that was written twice counts once."""
        if not self.path.exists():
            return []
        found = {record.number: record for _, record in self._read()}
        return [found[number] for number in sorted(found)]

    def add(self, record: GameRecord) -> None:
        """Write down a game; when this returns it is with the system, whatever becomes of this process."""
        if self._file is None:
            self._own()
        assert self._file is not None
        data = zlib.compress(ENCODER.encode(record), 3)
        data = HEAD.pack(len(data), zlib.crc32(data)) + data
        end = self.path.stat().st_size
        try:
            view = memoryview(data)
            while view:
                view = view[self._file.write(view) :]
            if time.monotonic() - self._flushed > FLUSH:
                os.fsync(self._file.fileno())
                self._flushed = time.monotonic()
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(end)
            kept = len(self.records())
            raise GrognardError(
                f"{self.path}: can't be written: {error.strerror}; {kept} games are kept, continue with --resume"
            ) from None


def keep_failure(folder: Path, failure: Failure) -> Path:
    """A game that broke off as a saved game in a folder, and beside it what went wrong."""
    save = folder / f"failed-{failure.number}.save"
    write_whole(save, failure.save)
    write_whole(save.with_suffix(".txt"), f"{failure.say()}\n\n{failure.trace}".encode())
    return save


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    waiting = path.with_name(path.name + ".new")
    try:
        with waiting.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(waiting, path)
    except BaseException:
        waiting.unlink(missing_ok=True)
        raise


def differences(old: Series, new: Series) -> list[str]:
    """In what two series differ, in words."""
    found = []
    for name in ("players", "games", "swap", "seed", "seconds", "limit", "program"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            found.append(f"{name} was {_say(before)}, not {_say(after)}")
    if [field.source for field in old.fields] != [field.source for field in new.fields]:
        before, after = (", ".join(field.word for field in each.fields) for each in (old, new))
        found.append(
            f"scenarios were {before}, not {after}" if before != after else f"the scenario {after} has changed"
        )
    return found or ["its rules or files have changed"]


def _say(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
