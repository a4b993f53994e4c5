"""One game of a series, played from its seed and written down."""

from __future__ import annotations

import math
import time
import traceback
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from grognard.core.chronicle import Chronicle
from grognard.core.game import Game
from grognard.core.luck import luck_report
from grognard.core.session import Session
from grognard.lab.game_rows import (
    Failure,
    GameRecord,
    KindRecord,
    PlaceRecord,
    Played,
    RollRecord,
    SideRecord,
    TurnRecord,
)
from grognard.lab.series import Field, Job, Series
from grognard.players.gc_pause import settle
from grognard.players.seats import Seats, Thinker, make_player, make_ready, pick

#: On a board without hexes places are squares of so many units a side.
SQUARE = 2.0


@lru_cache(maxsize=32)
def _opened(encoded: bytes) -> tuple[Game, Any]:
    return msgspec.msgpack.decode(encoded, type=Field).open()


def opened(field: Field) -> tuple[Game, Any]:
    """The game and scenario of a field, kept: what a scenario's first game works out serves all the others."""
    return _opened(msgspec.msgpack.encode(field))


class BrokenGameError(Exception):
    """A fault of the program ended a game; its cause is the fault."""

    def __init__(self, given: list[str]) -> None:
        super().__init__("a game broke off")
        self.given = given


def play_job(series: Series, job: Job) -> GameRecord:
    """Play a game of a series to its end, or to the series' limit."""
    field = series.fields[job.field]
    game, scenario = opened(field)
    seats = {side: make_player(name, f"{job.seed} {side}") for side, name in zip(field.sides, job.players)}
    # Who thinks goes back in copies all the time, which snapshots make quick.
    thinks = any(isinstance(player, Thinker) for player in seats.values())
    session = Session(game, scenario, seed=bytes.fromhex(job.seed), snapshots=thinks)
    given: list[str] = []
    try:
        return _play(series, job, session, seats, given)
    except Exception as error:
        raise BrokenGameError(given) from error


def play_safely(series: Series, number: int) -> Played:
    """Play a game by its number; a fault of the program is told with all that is needed to look into it."""
    job = series.job(number)
    try:
        return play_job(series, job)
    except BrokenGameError as broken:
        cause = broken.__cause__
        assert cause is not None
        at = traceback.extract_tb(cause.__traceback__)[-1]
        session, fatal = _up_to(series, job, broken.given)
        return Failure(
            number=number,
            scenario=series.fields[job.field].name,
            seed=job.seed,
            answers=len(session.answers),
            answer=fatal,
            error=f"{type(cause).__name__}: {cause} ({at.name}, line {at.lineno} of {Path(at.filename).name})",
            trace="".join(traceback.format_exception(cause)),
            save=session.save(),
        )


def _up_to(series: Series, job: Job, given: list[str]) -> tuple[Session, str]:
    """A game that broke off, sound again before the answer that broke it; that answer, if it was one."""
    game, scenario = opened(series.fields[job.field])
    session = Session(game, scenario, seed=bytes.fromhex(job.seed))
    for number, key in enumerate(given):
        try:
            session.answer(key, trusted=True)
        except Exception:
            return _up_to(series, job, given[:number])[0], key
    return session, ""


def _play(series: Series, job: Job, session: Session, seats: Seats, given: list[str]) -> GameRecord:
    field = series.fields[job.field]
    make_ready(session, seats.values())
    if series.seconds:
        settle()
    chronicle = Chronicle(session.game, session.battle)
    budget = series.seconds or math.inf
    spent: dict[str, list[float]] = {side: [0, 0.0, 0.0] for side in field.sides}
    begun = time.perf_counter()
    while session.ask is not None and len(session.answers) < series.limit:
        side = session.ask.side
        player = seats[side]
        assert player is not None, "people can't play in a series"
        asked = time.perf_counter()
        key = pick(player, session, budget)
        took = time.perf_counter() - asked
        clock = spent[side]
        clock[0], clock[1], clock[2] = clock[0] + 1, clock[1] + took, max(clock[2], took)
        given.append(key)
        session.answer(key)
        chronicle.follow(session.battle)
    chronicle.close(session.battle)
    return _record(field, job, session, chronicle, spent, time.perf_counter() - begun)


def replay_record(series: Series, record: GameRecord) -> Session:
    """A game of a series again, from its row: the same dice and the same answers."""
    game, scenario = opened(series.fields[series.job(record.number).field])
    session = Session(game, scenario, seed=bytes.fromhex(record.seed))
    for key in record.given:
        session.answer(key, trusted=True)
    return session


# ---- rows ---------------------------------------------------------------------------------------------------------


def _record(
    field: Field, job: Job, session: Session, chronicle: Chronicle, spent: dict[str, list[float]], seconds: float
) -> GameRecord:
    result = session.result
    first = next((fire.side for fire in chronicle.fires if fire.turn), "")
    return GameRecord(
        number=job.number,
        game=field.game,
        scenario=field.name,
        seed=job.seed,
        players=job.players,
        finished=result is not None,
        winner=result.winner if result else "",
        reason=result.reason if result else "stopped at the limit",
        rule=result.rule if result else "",
        turns=chronicle.turn,
        answers=len(session.answers),
        seconds=seconds,
        first_fire=first,
        digest=session.digest,
        given=tuple(answer.key for answer in session.answers),
        sides=tuple(
            _side(side, player, session, chronicle, spent[side], first)
            for side, player in zip(field.sides, job.players)
        ),
        by_turn=_by_turn(field, chronicle),
        by_kind=_by_kind(chronicle),
        by_roll=_by_roll(session),
        by_place=_by_place(chronicle),
    )


def _side(side: str, player: str, session: Session, chronicle: Chronicle, spent: list[float], first: str) -> SideRecord:
    result = session.result
    won = 0.5 if result is None or not result.winner else float(result.winner == side)
    last = chronicle.notes[-1]
    return SideRecord(
        side=side,
        player=player,
        won=won,
        score=float(last.score.get(side, 0.0)),
        force=sum(unit.worth for unit in chronicle.forces.values() if unit.side == side),
        lost=float(last.lost.get(side, 0.0)),
        inflicted=sum(loss.worth for loss in chronicle.losses if loss.by_side == side != loss.side),
        fires=sum(fire.side == side for fire in chronicle.fires),
        first_fire=first == side,
        decisions=int(spent[0]),
        seconds=spent[1],
        slowest=spent[2],
    )


def _by_turn(field: Field, chronicle: Chronicle) -> tuple[TurnRecord, ...]:
    return tuple(
        TurnRecord(
            note.turn,
            side,
            float(note.score.get(side, 0.0)),
            float(note.lost.get(side, 0.0)),
            sum(holder == side for holder in note.held.values()),
            sum(number for (_, who), number in note.present.items() if who == side),
        )
        for note in chronicle.notes
        for side in field.sides
    )


def _by_kind(chronicle: Chronicle) -> tuple[KindRecord, ...]:
    rows: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0.0, 0.0, 0.0, 0])
    for unit in chronicle.forces.values():
        row = rows[unit.side, unit.kind]
        row[0] += 1
        row[1] += unit.worth
    for loss in chronicle.losses:
        rows[loss.side, loss.kind][2] += loss.worth
        if loss.by and loss.by_side != loss.side:
            rows[loss.by_side, loss.by_kind][3] += loss.worth
    for fire in chronicle.fires:
        if fire.unit:
            rows[fire.side, fire.kind][4] += 1
    return tuple(
        KindRecord(side, kind, int(row[0]), row[1], row[2], row[3], int(row[4])) for (side, kind), row in rows.items()
    )


def _by_roll(session: Session) -> tuple[RollRecord, ...]:
    return tuple(
        RollRecord(side, what, luck.rolls, luck.value - luck.expected, luck.variance)
        for side, kinds in luck_report(session.log).items()
        for what, luck in kinds.items()
    )


def _by_place(chronicle: Chronicle) -> tuple[PlaceRecord, ...]:
    rows: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0, 0.0, 0])
    sides = {id: unit.side for id, unit in chronicle.forces.items()}
    both = list(dict.fromkeys(sides.values()))
    for fire in chronicle.fires:
        if fire.start:
            rows[square(fire.start), fire.side][0] += 1
        if fire.place:
            enemy = sides.get(fire.target) or next((side for side in both if side != fire.side), "")
            rows[square(fire.place), enemy][1] += 1
    for loss in chronicle.losses:
        if loss.place:
            rows[square(loss.place), loss.side][2] += loss.worth
    for note in chronicle.notes:
        for place, side in sorted({(square(place), side) for place, side in note.present}):
            rows[place, side][3] += 1
    return tuple(
        PlaceRecord(place, side, int(row[0]), int(row[1]), row[2], int(row[3])) for (place, side), row in rows.items()
    )


def square(place: str) -> str:
    """A place by name as it is; a point on a table by the middle of the square that it lies in.

    >>> square("D4"), square("12.5,30")
    ('D4', '13,31')
    """
    x, comma, y = place.partition(",")
    if not comma:
        return place
    middle = [int(float(value) // SQUARE * SQUARE + SQUARE / 2) for value in (x, y)]
    return f"{middle[0]},{middle[1]}"
