"""Volleys (6): which Teams of a Unit can fire what at which Unit, with how many dice, and on which numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from grognard.board.table import bodies
from grognard.board.table.bodies import HAIR
from grognard.board.table.places import apart
from grognard.core.ask import Bar
from grognard.core.tally import Tally
from grognard.games.company import cover, to_hit
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import Weapon, charts
from grognard.games.company.cover import Judged
from grognard.games.company.roster import TeamType, team_types
from grognard.games.company.state import Platoon, Team
from grognard.kits.table.looks import Look
from grognard.kits.table.positions import position_cache


class Mode(NamedTuple):
    """How a Team fires: the lines of its tally, and whether it reacts to a Unit that moves (6.12, 6.13, 6.15, 7)."""

    id: str
    lines: tuple[str, ...] = ()
    reacts: bool = False


MODES = {
    mode.id: mode
    for mode in (
        Mode("fire"),
        Mode("aimed_fire", ("aimed_fire",)),
        Mode("move_and_fire", ("firer_moved",)),
        Mode("reaction", ("reaction_fire",), reacts=True),
        Mode("assault", ("reaction_fire",), reacts=True),
    )
}
FIRE = MODES["fire"]
#: By the words of an answer: shells (16.7), shot, what is neither, and the types that an AT weapon names (6.21).
HE, SHOT, SMALL_ARMS = "he", "shot", "mg"
NAMED = {"tanks": "tank", "guns": "gun", "infantry": "infantry"}
WORDS = ("", HE, SHOT, SMALL_ARMS, *NAMED)


class Shot(NamedTuple):
    """What a Team fires: a weapon, or the shell of one instead of its shot (16.7)."""

    weapon: Weapon
    shell: bool = False

    @property
    def at(self) -> bool:
        """Whether its hits fall on one Team and harm armour (6.19, 9.3)."""
        return self.weapon.at and not self.shell

    @property
    def title(self) -> str:
        """What people call it."""
        return f"{self.weapon.title}, shells" if self.shell else self.weapon.title

    def dice(self, long: bool) -> int:
        """Its Fire Points, half of them rounded down at long range (6.7, 6.11)."""
        points = self.weapon.he_fp if self.shell else self.weapon.fp
        return int(points * charts()["to_hit_limits"]["long_range_fp"]) if long else points


class Firer(NamedTuple):
    """A Team that fires in a volley: its shot, its dice, what of the target it can hit, and its number."""

    row: int
    team: str
    spot: tuple[int, int]
    shot: Shot
    dice: int
    long: bool
    columns: tuple[int, ...]
    lines: tuple[str, ...]
    needed: Tally


class Volley(NamedTuple):
    """What Teams of a Unit fire together at another: who, and how the target stands to them."""

    firers: tuple[Firer, ...]
    judged: Judged
    word: str = ""

    @property
    def valid(self) -> list[int]:
        """The Teams of the target that can be dealt hits (6.18)."""
        return sorted({column for firer in self.firers for column in firer.columns})

    @property
    def hopeless(self) -> bool:
        """Whether no die of it can hit (6.16)."""
        return all(to_hit.fails(firer.needed) for firer in self.firers)

    @property
    def dice(self) -> int:
        """How many dice are thrown."""
        return sum(firer.dice for firer in self.firers if not to_hit.fails(firer.needed))


NOBODY = Volley((), Judged((), (), False, False))


# ---- who could fire at all ---------------------------------------------------------------------------------


def bar_team(battle: CompanyBattle, team: Team) -> Bar | None:
    """Why a Team cannot fire at anything (7.2, 11.2); None if it can."""
    if not battle.team_type(team).weapons:
        return Bar("6.7", "it has no weapon")
    if team.marks:
        return Bar("11.2", "it is suppressed")
    if team.shot == battle.state.initiative:
        return Bar("7.2", "it has fired in this Initiative")
    return None


def ready(battle: CompanyBattle, unit: Platoon, modes: Mapping[str, Mode]) -> dict[str, Mode]:
    """Those of some Teams of a Unit that can fire at all."""
    return {team.id: modes[team.id] for team in unit.models if team.id in modes and bar_team(battle, team) is None}


@cache
def shots(kind: str) -> tuple[Shot, ...]:
    """What a kind of Team can fire, one of them at a time (6.25, 16.7)."""
    found = []
    for weapon in team_types()[kind].arms:
        found.append(Shot(weapon))
        if weapon.at and weapon.he_fp:
            found.append(Shot(weapon, True))
    return tuple(found)


def reach(type: TeamType) -> int:
    """As far as a Team can fire at all: twice the range of its longest weapon (6.11, 6.26)."""
    return max((weapon.range for weapon in type.arms), default=0) * charts().number("to_hit_limits", "long_range")


# ---- where it can fire (6.2 to 6.6) --------------------------------------------------------------------------


def facing(team: Team) -> int:
    """Where the arc of a Team looks: its turret's, or its own (6.3, 6.5)."""
    return team.heading if team.turret < 0 else team.turret


def in_arc(battle: CompanyBattle, unit: Platoon, row: int, target: Platoon, column: int) -> bool:
    """Whether a Team of a target lies in the arc of one that fires (6.3)."""
    team = unit.models[row]
    if battle.team_type(team).infantry:
        return True
    there = target.models[column]
    body = battle.body(unit, team)
    return bodies.ahead(body, facing(team), there.x, there.y, front=0) >= -HAIR


def columns_of(
    battle: CompanyBattle,
    unit: Platoon,
    row: int,
    target: Platoon,
    seen: Look,
    near: bool,
    only: Collection[str] | None = None,
) -> tuple[int, ...]:
    """The Teams of a target that one of a Unit can fire at: in sight past friends, in reach, and one of them in arc.

    ``near`` is for Reaction Fire, which reaches only those within 8 inches (7.1).
    """
    far = reach(battle.team_type(unit.models[row]))
    if near:
        far = min(far, charts().distance("reaction", "distance"))
    clear, gaps = seen.clear[row], seen.gaps[row]
    found = tuple(
        column
        for column in np.flatnonzero(clear & (gaps <= far + HAIR)).tolist()
        if only is None or target.models[column].id in only
    )
    return found if any(in_arc(battle, unit, row, target, column) for column in found) else ()


def able(battle: CompanyBattle, unit: Platoon) -> frozenset[str]:
    """The Teams of a Unit that can fire at anybody; kept by where everybody stands."""
    kept = position_cache(battle)
    free = tuple([team.id for team in unit.models if bar_team(battle, team) is None])
    found: frozenset[str] | None = kept.get(("able", unit.id, free))
    if found is None:
        found = kept["able", unit.id, free] = frozenset(_able(battle, unit, free))
    return found


def _able(battle: CompanyBattle, unit: Platoon, free: Collection[str]) -> Iterator[str]:
    far = max((reach(battle.team_type(team)) for team in unit.models if team.id in free), default=0)
    foes = [foe for foe in battle.enemies(unit.side) if foe.models and battle.gap(unit, foe) <= far + HAIR]
    cover.looks_of(battle).at(unit, foes)
    seen = [(foe, cover.look(battle, unit, foe)) for foe in foes]
    for row, team in enumerate(unit.models):
        if team.id in free and any(_fires(battle, unit, row, foe, look) for foe, look in seen if look.clear[row].any()):
            yield team.id


def _fires(battle: CompanyBattle, unit: Platoon, row: int, target: Platoon, seen: Look) -> bool:
    columns = columns_of(battle, unit, row, target, seen, False)
    return bool(columns) and _shot(battle, unit.models[row], target, seen, row, columns, "") is not None


# ---- a volley ----------------------------------------------------------------------------------------------


def plan(
    battle: CompanyBattle,
    unit: Platoon,
    target: Platoon,
    modes: Mapping[str, Mode],
    word: str = "",
    only: Collection[str] | None = None,
) -> Volley:
    """What those of some Teams that can fire at a target; `NOBODY` if none can. Kept, since it is asked for often."""
    kept = position_cache(battle)
    key = ("volley", unit.id, target.id, *_state(unit, target), *_how(modes, word, only), battle.state.initiative)
    found: Volley | None = kept.get(key)
    if found is None:
        found = kept[key] = _plan(battle, unit, target, modes, word, only)
    return found


def _state(unit: Platoon, target: Platoon) -> tuple[Any, ...]:
    """What a volley hangs on beside where everybody stands."""
    ours = tuple([(team.id, bool(team.marks), team.shot, team.watch) for team in unit.models])
    theirs = tuple([(team.id, team.moved, team.fired) for team in target.models])
    return ours, theirs, target.down, target.training


def _how(modes: Mapping[str, Mode], word: str, only: Collection[str] | None) -> tuple[Any, ...]:
    return tuple(modes.items()), word, None if only is None else tuple(sorted(only))


def _plan(
    battle: CompanyBattle,
    unit: Platoon,
    target: Platoon,
    modes: Mapping[str, Mode],
    word: str,
    only: Collection[str] | None,
) -> Volley:
    far = max((reach(battle.team_type(team)) for team in unit.models if team.id in modes), default=0)
    if battle.gap(unit, target) > far + HAIR:
        return NOBODY
    seen = cover.look(battle, unit, target)
    found: list[Firer] = []
    for row, team in enumerate(unit.models):
        mode = modes.get(team.id)
        if mode is None or bar_team(battle, team) is not None:
            continue
        near = mode.reacts and not team.watch
        columns = columns_of(battle, unit, row, target, seen, near, only)
        if not columns:
            continue
        shot = _shot(battle, team, target, seen, row, columns, word)
        if shot is None:
            continue
        most, _, long = _range(shot, seen, row, columns)
        hit = tuple(column for column in columns if seen.gaps[row][column] <= most + HAIR)
        lines = mode.lines if near or not mode.reacts else ()
        found.append(Firer(row, team.id, (team.x, team.y), shot, shot.dice(long), long, hit, lines, Tally("", 0)))
    return _worth_it(battle, unit, target, found, word)


def _worth_it(battle: CompanyBattle, unit: Platoon, target: Platoon, firers: Sequence[Firer], word: str) -> Volley:
    """Who cannot hit does not fire where others can: they fire without him, and see only what they see."""
    volley = numbered(battle, unit, target, firers, word)
    while not volley.hopeless and any(to_hit.fails(firer.needed) for firer in volley.firers):
        volley = numbered(battle, unit, target, [f for f in volley.firers if not to_hit.fails(f.needed)], word)
    return volley


def numbered(battle: CompanyBattle, unit: Platoon, target: Platoon, firers: Sequence[Firer], word: str) -> Volley:
    """The numbers of those who fire, and how the target stands to all of them together (6.8, 10.3)."""
    if not firers:
        return NOBODY
    how = cover.judged(battle, unit, [firer.row for firer in firers], target)
    training = battle.training(target)

    def tally(firer: Firer) -> Tally:
        return to_hit.needed(training, concealed=how.concealed, down=how.down, long=firer.long, lines=firer.lines)

    return Volley(tuple(firer._replace(needed=tally(firer)) for firer in firers), how, word)


def _range(shot: Shot, seen: Look, row: int, columns: Sequence[int]) -> tuple[float, float, bool]:
    """As far as a shot goes, how far it is to the nearest Team of the target, and whether that is long (6.26)."""
    far = float(min(seen.gaps[row][column] for column in columns))
    most = shot.weapon.range * charts().number("to_hit_limits", "long_range")
    return most, far, far > shot.weapon.range + HAIR


def _shot(
    battle: CompanyBattle, team: Team, target: Platoon, seen: Look, row: int, columns: Sequence[int], word: str
) -> Shot | None:
    """What a Team fires: what the word says if it has that, or what does most; None if no shot of it has a die."""
    types = [battle.team_type(target.models[column]) for column in columns]
    best, most = None, 0.0
    for shot in shots(team.kind):
        limit, far, long = _range(shot, seen, row, columns)
        dice = shot.dice(long) if far <= limit + HAIR else 0
        worth = dice * _use(shot, types)
        if worth and _meant(shot, word):
            worth += 100  # what is named comes before what is usual
        if worth > most:
            best, most = shot, worth
    return best


def _meant(shot: Shot, word: str) -> bool:
    """Whether a word of an answer means a shot."""
    if word == HE:
        return shot.shell
    if word == SMALL_ARMS:
        return not shot.weapon.at
    return shot.at if word == SHOT or word in NAMED else False


def _use(shot: Shot, types: Sequence[TeamType]) -> float:
    """What a die of a shot is worth against Teams when nobody says: shot for armour, and all else for men."""
    armoured = sum(type.armored for type in types)
    if not shot.at:
        return (len(types) - armoured) / len(types)  # nothing against armour alone (9.3)
    return 1.5 if 2 * armoured > len(types) else 0.5


def ways(
    battle: CompanyBattle,
    unit: Platoon,
    target: Platoon,
    modes: Mapping[str, Mode],
    only: Collection[str] | None = None,
) -> Iterator[Volley]:
    """The ways to fire at a target that differ: as usual, with other ammunition, at a type of Team that is named."""
    known: list[list[tuple[str, Shot]]] = []
    for word in WORDS:
        volley = plan(battle, unit, target, modes, word, only)
        if not volley.firers:
            return
        fired = [(firer.team, firer.shot) for firer in volley.firers]
        if word in NAMED:
            valid = {battle.team_type(target.models[column]).type for column in volley.valid}
            if len(valid) > 1 and NAMED[word] in valid and any(shot.at for _, shot in fired):
                yield volley
        elif fired not in known:
            known.append(fired)
            yield volley


# ---- why not -----------------------------------------------------------------------------------------------


def bar_target(battle: CompanyBattle, unit: Platoon, target: Platoon, modes: Mapping[str, Mode]) -> Bar | None:
    """Why no Team of a Unit can fire at another: sight, friends, arc or range (6.2, 6.3, 6.6); None if one can."""
    if target.side == unit.side:
        return Bar("6.1", f"{battle.name(target)} is on your side")
    if not target.models or target.status != "table":
        return Bar("6.2", f"{battle.name(target)} isn't on the table")
    can = ready(battle, unit, modes)
    if not can:
        bars = [bar_team(battle, team) for team in unit.models]
        return next((bar for bar in bars if bar is not None), Bar("6.1", "it has nobody who fires"))
    volley = plan(battle, unit, target, can)
    if volley.firers:
        needs = min((firer.needed for firer in volley.firers), key=lambda tally: tally.total)
        return Bar("6.16", f"it needs {needs.total}: no die can hit") if volley.hopeless else None
    seen = cover.look(battle, unit, target)
    rows = [row for row, team in enumerate(unit.models) if team.id in can]
    if not any(seen.in_sight[row] for row in rows):
        return Bar("6.2", f"{battle.name(target)} isn't in sight")
    rows = [row for row in rows if seen.clear[row].any()]
    if not rows:
        return Bar("6.6", "friends are in the way")
    near = min(float(seen.gaps[row][seen.clear[row]].min()) for row in rows)
    far = max(reach(battle.team_type(unit.models[row])) for row in rows)
    if near > far + HAIR:
        told, most = (apart(each, battle.measure) for each in (near, far))
        return Bar("6.26", f"it is {told} away, and nothing reaches farther than {most}")
    if all(mode.reacts for mode in can.values()) and near > charts().distance("reaction", "distance") + HAIR:
        return Bar("7.1", "it isn't within 8 inches, and nobody who sees it is on Overwatch")
    arcs = [
        in_arc(battle, unit, row, target, column) for row in rows for column in np.flatnonzero(seen.clear[row]).tolist()
    ]
    if not any(arcs):
        return Bar("6.3", "it is outside their arcs")
    if all(
        battle.team_type(target.models[column]).armored for row in rows for column in np.flatnonzero(seen.clear[row])
    ):
        return Bar("9.3", "nothing that it can fire there harms armour")
    return Bar("6.26", f"at {apart(near, battle.measure)} none of its weapons has a die left")
