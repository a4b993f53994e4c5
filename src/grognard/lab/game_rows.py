"""What is kept of a game: its result, its answers, and rows of figures by side, turn, kind of unit, roll and place."""

from __future__ import annotations

import msgspec


class SideRecord(msgspec.Struct, frozen=True, array_like=True):
    """A side of a game: 1 for a win, a half for a draw; its score; worth of its force and of what it lost."""

    side: str
    player: str
    won: float
    score: float
    force: float
    lost: float
    inflicted: float
    fires: int
    first_fire: bool
    decisions: int
    seconds: float
    slowest: float


class TurnRecord(msgspec.Struct, frozen=True, array_like=True):
    """How a turn ended for a side: score, losses so far, how many of the places fought over it held, units present."""

    turn: int
    side: str
    score: float
    lost: float
    held: int
    units: int


class KindRecord(msgspec.Struct, frozen=True, array_like=True):
    """A kind of unit of a side: how many, what they were worth, what of it was lost, and what they destroyed."""

    side: str
    kind: str
    units: int
    worth: float
    lost: float
    inflicted: float
    fires: int


class RollRecord(msgspec.Struct, frozen=True, array_like=True):
    """The rolls of a kind by a side: how many, by how much they exceeded what was expected, and the variance."""

    side: str
    what: str
    rolls: int
    excess: float
    variance: float


class PlaceRecord(msgspec.Struct, frozen=True, array_like=True):
    """A place and a side: its shots from there, shots at it there, what it lost there, the turns it stood there."""

    place: str
    side: str
    fired: int
    fired_at: int
    lost: float
    turns: int


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played: a row with everything that is needed to play it again."""

    number: int
    game: str
    scenario: str
    seed: str
    players: tuple[str, ...]
    finished: bool
    winner: str
    reason: str
    rule: str
    turns: int
    answers: int
    seconds: float
    first_fire: str
    digest: str
    given: tuple[str, ...]
    sides: tuple[SideRecord, ...]
    by_turn: tuple[TurnRecord, ...]
    by_kind: tuple[KindRecord, ...]
    by_roll: tuple[RollRecord, ...]
    by_place: tuple[PlaceRecord, ...]

    @property
    def outcome(self) -> tuple[object, ...]:
        """All but the times, which no two runs have in common."""
        sides = tuple(msgspec.structs.replace(side, seconds=0.0, slowest=0.0) for side in self.sides)
        return msgspec.structs.astuple(msgspec.structs.replace(self, seconds=0.0, sides=sides))


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A game that a fault of the program ended: what was wrong, and the game up to there as a saved game."""

    number: int
    scenario: str
    seed: str
    answers: int
    answer: str
    error: str
    trace: str
    save: bytes

    def say(self) -> str:
        """The failure in a sentence."""
        where = f"game {self.number} ({self.scenario}, seed {self.seed}) broke off after {self.answers} answers"
        return f"{where}{f', at {self.answer!r}' if self.answer else ''}: {self.error}"


Played = GameRecord | Failure

ENCODER = msgspec.msgpack.Encoder()
DECODER = msgspec.msgpack.Decoder(GameRecord)
_FAILURES = msgspec.msgpack.Decoder(Failure)


def pack(played: Played) -> bytes:
    """A game that was played, or that failed, as it travels between processes."""
    return (b"!" if isinstance(played, Failure) else b"+") + ENCODER.encode(played)


def unpack(data: bytes) -> Played:
    """The game again."""
    return _FAILURES.decode(data[1:]) if data[:1] == b"!" else DECODER.decode(data[1:])
