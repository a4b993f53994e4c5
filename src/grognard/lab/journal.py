"""What a run has done so far, on disk: every game is written as it ends, and a torn end is cut off."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from grognard.core.errors import Fault, GrognardError, MalformedError
from grognard.lab.record import DECODER, ENCODER, GameRecord
from grognard.lab.series import Series, read_series

#: Each record is its length and checksum, then the record itself, packed.
HEAD = struct.Struct("<II")


class Journal:
    """The folder of a run: what it is to do, and the games that are done."""

    def __init__(self, folder: Path, series: Series) -> None:
        self.folder, self.series = folder, series
        self.path = folder / "games.journal"

    @classmethod
    def begin(cls, folder: Path, series: Series, *, resume: bool = False) -> Journal:
        """A folder for a series. One that holds a run already is gone on with only if asked, and if it is the same."""
        told = folder / "series.json"
        if told.exists():
            old = read_series(told.read_bytes(), str(told))
            if not resume:
                raise GrognardError(f"{folder} holds a run already; go on with it by --resume, or name another folder")
            if old.digest != series.digest:
                raise GrognardError(f"{folder} holds another series: {'; '.join(differences(old, series))}")
        elif folder.exists() and any(folder.iterdir()):
            raise GrognardError(f"{folder} is not empty and holds no run; name another folder")
        folder.mkdir(parents=True, exist_ok=True)
        journal = cls(folder, series)
        if not told.exists():
            waiting = folder / "series.json.new"
            waiting.write_bytes(series.encode())
            os.replace(waiting, told)
        journal.mend()
        return journal

    @classmethod
    def open(cls, folder: Path) -> Journal:
        """The run of a folder."""
        told = folder / "series.json"
        if not told.is_file():
            raise MalformedError([Fault(str(folder), 0, "", "no run of games", "a folder made by `grognard simulate`")])
        return cls(folder, read_series(told.read_bytes(), str(told)))

    def mend(self) -> None:
        """Cut off a record that was not written whole."""
        if self.path.exists():
            whole = sum(size for size, _ in self._read())
            if whole < self.path.stat().st_size:
                with self.path.open("r+b") as file:
                    file.truncate(whole)

    def _read(self) -> Iterator[tuple[int, GameRecord]]:
        with self.path.open("rb") as file:
            while len(head := file.read(HEAD.size)) == HEAD.size:
                length, sum_ = HEAD.unpack(head)
                data = file.read(length)
                if len(data) < length or zlib.crc32(data) != sum_:
                    return
                yield HEAD.size + length, DECODER.decode(zlib.decompress(data))

    def records(self) -> list[GameRecord]:
        """The games that are done, by number; one that was written twice counts once."""
        if not self.path.exists():
            return []
        found = {record.number: record for _, record in self._read()}
        return [found[number] for number in sorted(found)]

    def add(self, record: GameRecord) -> None:
        """Write down a game; when this returns it is with the system, whatever becomes of this process."""
        data = zlib.compress(ENCODER.encode(record), 3)
        with self.path.open("ab") as file:
            file.write(HEAD.pack(len(data), zlib.crc32(data)) + data)


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
