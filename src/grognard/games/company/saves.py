"""Saves (8): the dice on each Team against its Save number, and who falls.

One die that fails is enough (8.5), so the Saves of a Team are one question: does it fall? Teams are thrown for
together, a handful at a time. Where only odds are wanted it is told how many Teams of a kind fall, and not which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from grognard.core.dice import Faces, Reader, counts
from grognard.core.tally import Tally
from grognard.games.company import cover, dealing
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import Saving, charts
from grognard.games.company.state import Platoon, Team

#: So many Teams are thrown for at once.
AT_ONCE = 6

#: The number that each die on a Team needs.
Needs = tuple[int, ...]


class Saved(NamedTuple):
    """What a Team has to save: the number that each die needs, whether successes are thrown again, and why."""

    team: Team
    needs: Needs
    again: bool
    tallies: tuple[Tally, ...]


# ---- Save numbers (8.2, 8.3, 9.2) ------------------------------------------------------------------------------


def save_number(battle: CompanyBattle, team: Team, level: int, *, at: bool = False) -> Tally:
    """The Save number of a Team that is not armoured, in a cover (8.2), against an AT weapon or not (9.2)."""
    type = battle.team_type(team)
    now = charts()
    saving: Saving = now.saves["infantry"]
    rule = saving.rule
    if type.soft_skin:
        saving, rule = now.saves["gun" if at else "infantry"], "9.2"
    elif type.gun:
        still = not (team.moved or team.fired)
        saving, rule = (now.saves["infantry"], "8.3") if still else (now.saves["gun"], now.saves["gun"].rule)
    found = Tally("Save", saving.soft, rule, f"like {saving.label}" if rule != saving.rule else saving.label)
    if level == cover.HARD:
        found.add("cover", saving.hard - saving.soft, "10.2")
    return found


def in_the_open() -> Tally:
    """The Save of Infantry in the open, whoever makes it (16.2)."""
    saving = charts().saves["infantry"]
    return Tally("Save", saving.soft, saving.rule, saving.label)


# ---- throwing for them -----------------------------------------------------------------------------------------


@cache
def how_many(kinds: tuple[tuple[Needs, ...], ...]) -> Reader:
    """Reads the Saves of Teams by kinds: how many of each fall.

    >>> how_many((((3,), (3, 2)), ((2,),)))((3, 4, 1, 1))
    (1, 1)
    """

    def read(faces: Faces) -> tuple[int, ...]:
        left = iter(faces)
        return tuple([sum([sum([next(left) < need for need in needs]) > 0 for needs in kind]) for kind in kinds])

    def spread(count: int, sides: int) -> dict[Any, int]:
        ways: dict[tuple[int, ...], int] = {(): 1}
        for kind in kinds:
            fallen = {0: 1}
            for needs in kind:
                stands, all_ = _ways(needs, sides)
                after: dict[int, int] = {}
                for so_far, equal in fallen.items():
                    for more, count in ((0, stands), (1, all_ - stands)):
                        if count:
                            after[so_far + more] = after.get(so_far + more, 0) + equal * count
                fallen = after
            ways = {(*lost, more): equal * count for lost, equal in ways.items() for more, count in fallen.items()}
        return ways

    read.spread = spread  # type: ignore[attr-defined]
    read.worth = sum  # type: ignore[attr-defined]
    return read


def _ways(needs: Needs, sides: int) -> tuple[int, int]:
    """In how many throws of its dice a Team stands, and how many throws there are."""
    stands = 1
    for need in needs:
        stands *= sides + 1 - max(need, 1)
    return stands, sides ** len(needs)


def throw(
    battle: CompanyBattle, target: Platoon, saved: Sequence[Saved], rules: tuple[str, ...], what: str = "Saves"
) -> list[Team]:
    """Throw for some Teams: those that fall. Who has saved throws once more where he must (3.8, 6.17, 8.5)."""
    if battle.for_odds:
        return _for_odds(battle, target, saved, rules, what)
    fallen: list[Team] = []
    for start in range(0, len(saved), AT_ONCE):
        handful = saved[start : start + AT_ONCE]
        fell = _throw(battle, target, handful, what, rules)
        fallen += fell
        again = [each for each in handful if each.again and each.team not in fell]
        if again:
            fallen += _throw(battle, target, again, f"{what} again", (*rules, "8.5"))
    return fallen


def _throw(
    battle: CompanyBattle, target: Platoon, saved: Sequence[Saved], what: str, rules: tuple[str, ...]
) -> list[Team]:
    """One throw: a Team of which any die fails falls (8.5)."""
    dice = tuple(
        tuple(row if face < need else 0 for face in range(1, 7))
        for row, each in enumerate(saved, 1)
        for need in each.needs
    )
    words = tuple(f"failed by {battle.team_name(target, each.team)}" for each in saved)
    read = counts(dice, len(saved), words)
    failed = battle.roll(target.side, what, f"{len(dice)}d6", read, rules, _tallies(saved), unit=target.id)
    return [each.team for each, lost in zip(saved, failed if len(saved) > 1 else (failed,)) if lost]


def _for_odds(
    battle: CompanyBattle, target: Platoon, saved: Sequence[Saved], rules: tuple[str, ...], what: str
) -> list[Team]:
    """How many Teams of each kind fall, in one throw; who saves twice throws twice the dice."""
    kinds: dict[object, list[Saved]] = {}
    for each in saved:
        kinds.setdefault(dealing.sameness(battle, target, each.team), []).append(each)
    groups = [sorted(kind, key=lambda each: (-len(each.needs), each.team.id)) for kind in kinds.values()]
    needs = tuple(tuple(each.needs * (2 if each.again else 1) for each in group) for group in groups)
    dice = f"{sum(len(team) for kind in needs for team in kind)}d6"
    lost: tuple[int, ...] = battle.roll(
        target.side, what, dice, how_many(needs), rules, _tallies(saved), unit=target.id
    )
    return [each.team for group, number in zip(groups, lost) for each in group[:number]]


def _tallies(saved: Iterable[Saved]) -> tuple[Tally, ...]:
    """What they need, each number once."""
    found: dict[tuple[int, str, str], Tally] = {}
    for each in saved:
        for tally in each.tallies:
            found.setdefault((tally.total, tally.rule, tally.source), tally)
    return tuple(found.values())


# ---- one Save for each (15.10, 16.2) ---------------------------------------------------------------------------


def single(
    battle: CompanyBattle,
    unit: Platoon,
    tallies: Sequence[tuple[Team, Tally]],
    rules: tuple[str, ...],
    what: str = "Saves",
) -> list[Team]:
    """One Save for each of some Teams, on the number of each: those that fall. Who ran throws again (3.8)."""
    saved = [Saved(team, (tally.total,), team.ran, (tally,)) for team, tally in tallies]
    return throw(battle, unit, saved, rules, what) if saved else []
