"""Reaction Fire and Overwatch (7): who may fire at a Unit on its way, and where he is asked.

Who could fire is asked at the first point from which he could, and once more where his fire would do most: so nobody
is asked at every inch, and whoever waits does not miss his chance.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from grognard.board.table.bodies import HAIR, gaps
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.company import cover, firing, to_hit, volley
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.state import Platoon, living
from grognard.games.company.volley import MODES, Volley
from grognard.kits.table.state import ON_TABLE

REACTION_FIRE, OVERWATCH = "reaction fire", "overwatch"
#: How often somebody has been asked: not yet, before the best point of the way, or there.
FIRST, BEST = 1, 2

Places = Mapping[str, tuple[int, int]]


def shot_at(
    battle: CompanyBattle, unit: Platoon, mover: Platoon, moving: frozenset[str], word: str = "", mode: str = "reaction"
) -> Volley:
    """What a Unit could fire at one that moves, as things stand (7.1, 7.3): each Team at one that it sees move."""
    able = volley.ready(battle, unit, dict.fromkeys((team.id for team in unit.models), MODES[mode]))
    found = volley.plan(battle, unit, mover, able, word) if able else volley.NOBODY
    ids = [team.id for team in mover.models]
    firers = [firer for firer in found.firers if any(ids[column] in moving for column in firer.columns)]
    if len(firers) < len(found.firers):
        found = volley.numbered(battle, unit, mover, firers, word)
    return volley.NOBODY if found.hopeless else found


def could(battle: CompanyBattle, unit: Platoon, mover: Platoon, party: Sequence[int]) -> Hashable | None:
    """All that the fire of an assaulted Unit would be, at those who come at it (13.4, 13.16); None if it has none."""
    moving = frozenset(mover.models[number].id for number in party if number < len(mover.models))
    able = volley.ready(battle, unit, dict.fromkeys((team.id for team in unit.models), MODES["assault"]))
    found = volley.plan(battle, unit, mover, able, only=moving) if able else volley.NOBODY
    if not found.firers or found.hopeless:
        return None
    return tuple((firer.team, firer.dice, firer.needed.total) for firer in found.firers)


def bar_react(battle: CompanyBattle, unit: Platoon) -> Bar | None:
    """Why a Unit cannot react to any move (7.2, 7.5, 11.2); None if it could."""
    bars = [volley.bar_team(battle, team) for team in unit.models]
    if None in bars:
        return None
    return next((bar for bar in bars if bar is not None), Bar("7.1", "it has nobody on the table"))


def worth(fired: Volley) -> float:
    """How many hits can be expected of a volley."""
    return sum(firer.dice * sum(to_hit.faces(firer.needed.total)) / 6 for firer in fired.firers)


class Reactions:
    """Those who may fire at a Unit on its way: a `kits.table.travel.Watch` (7.4, 7.7)."""

    look_ahead: Mapping[int, int] = {0: 1 << 16}
    at_end = True

    def __init__(self, battle: CompanyBattle, mover: Platoon, party: Sequence[int], assaulted: str = "") -> None:
        self.battle, self.assaulted = battle, assaulted
        self.moving = frozenset(mover.models[number].id for number in party)
        self.stride = battle.charts.distance("distances", "reaction_stride")
        self.asked: dict[str, int] = {}
        self.best: dict[str, Places] = {}
        self.held: set[str] = set()

    def able(self, mover: Platoon) -> Sequence[Platoon]:
        """Enemies with a Team that may still fire in this Initiative; the assaulted Unit has its own say (13.21)."""
        return [
            unit
            for unit in self.battle.enemies(mover.side)
            if unit.id != self.assaulted and unit.id not in self.held and bar_react(self.battle, unit) is None
        ]

    def foresee(self, mover: Platoon, stands: Sequence[Sequence[tuple[int, int]]]) -> None:
        """Look at the whole way, to know where the fire of each would do most; in thought the first chance will do."""
        battle = self.battle
        watchers = {unit.id: near for unit in self.able(mover) if len(near := self._near(unit, mover, stands)) > 1}
        if not watchers or battle.in_playout:
            return
        for id, near in watchers.items():
            unit = battle.unit(id)
            cover.looks_of(battle).foresee(unit, self._far(unit), mover, [stands[number] for number in near])
        before = [(team.x, team.y, team.moved) for team in mover.models]
        most: dict[str, float] = {}
        for number in sorted({number for near in watchers.values() for number in near}):
            for team, (x, y) in zip(mover.models, stands[number]):
                team.x, team.y, team.moved = x, y, team.moved or team.id in self.moving
            battle.invalidate(mover)
            for id in (id for id, near in watchers.items() if number in near):
                hits = worth(shot_at(battle, battle.unit(id), mover, self.moving))
                if hits > most.get(id, 0.0):
                    most[id] = hits
                    self.best[id] = {team.id: (team.x, team.y) for team in mover.models}
        for team, (x, y, moved) in zip(mover.models, before):
            team.x, team.y, team.moved = x, y, moved
        battle.invalidate(mover)

    def _far(self, unit: Platoon) -> float:
        """As far as a Unit can react: on Overwatch as far as it can fire, else within 8 inches."""
        watching = [volley.reach(self.battle.team_type(team)) for team in unit.models if team.watch]
        return float(max(charts().distance("reaction", "distance"), *watching, 0))

    def _near(self, unit: Platoon, mover: Platoon, stands: Sequence[Sequence[tuple[int, int]]]) -> list[int]:
        """The stands of a way at which a moving Team is near enough for anybody of a Unit to react."""
        bases = self.battle.bodies(mover)
        rows = [row for row, team in enumerate(mover.models) if team.id in self.moving]
        there = [bases[row].at(*stand[row]) for stand in stands for row in rows]
        if not there:
            return []
        apart = gaps(self.battle.bodies(unit), there).min(axis=0).reshape(len(stands), len(rows)).min(axis=1)
        far = self._far(unit) + HAIR
        return [number for number, gap in enumerate(apart.tolist()) if gap <= far]

    def _within(self, unit: Platoon, mover: Platoon) -> bool:
        """Whether anybody who moves may be near enough, by the middles of their bases: most are not."""
        far = self._far(unit)
        theirs = [body for body, team in zip(self.battle.bodies(mover), mover.models) if team.id in self.moving]
        for body in self.battle.bodies(unit):
            for other in theirs:
                most = far + body.foot.farthest + other.foot.farthest
                if abs(body.x - other.x) <= most and abs(body.y - other.y) <= most:
                    return True
        return False

    def could(self, watcher: Platoon, mover: Platoon) -> Hashable | None:
        """Whether a Unit is to be asked here: at its first chance, and where its fire does most (7.4)."""
        id = watcher.id
        asked = self.asked.get(id, 0)
        if asked < BEST and self._within(watcher, mover) and shot_at(self.battle, watcher, mover, self.moving).firers:
            best = self.best.get(id)
            here = best is None or all(best.get(team.id) == (team.x, team.y) for team in mover.models)
            asked = self.asked[id] = BEST if here else FIRST
        return asked or None

    def offer(self, mover: Platoon, ready: Sequence[Platoon]) -> Procedure[None]:
        """Each that can fires once, in the order that its owner likes, or waits, or holds its fire (7.4, 7.7)."""
        left = list(ready)
        while living(mover) and mover.status == ON_TABLE:
            shots = {unit.id: shot_at(self.battle, unit, mover, self.moving) for unit in left}
            left = [unit for unit in left if shots[unit.id].firers]
            if not left:
                return
            answer = yield self._ask(mover, left, shots)
            verb, *words = answer.split()
            if verb == "pass":
                return
            if verb == "hold":
                self.held |= {unit.id for unit in left}
                return
            unit = self.battle.unit(words[0])
            word = " ".join(words[1:])
            chosen = shot_at(self.battle, unit, mover, self.moving, word)
            modes = dict.fromkeys((firer.team for firer in chosen.firers), MODES["reaction"])
            yield from firing.shoot(self.battle, unit, modes, mover, word=word)
            self.held.add(unit.id)  # it fires together, once
            left = [other for other in left if other is not unit]

    def _ask(self, mover: Platoon, ready: Sequence[Platoon], shots: Mapping[str, Volley]) -> Ask:
        battle = self.battle
        watching = any(unit.models[firer.row].watch for unit in ready for firer in shots[unit.id].firers)
        rule = "7.3" if watching else "7.1"

        def options() -> Iterator[Option]:
            for unit in ready:
                modes = dict.fromkeys((firer.team for firer in shots[unit.id].firers), MODES["reaction"])
                for fired in volley.ways(battle, unit, mover, modes):
                    yield option(battle, unit, mover, fired)
            yield Option("pass", "Not here", "pass", mover.id, rule=rule)
            if any(self.asked.get(unit.id) == FIRST for unit in ready):
                yield Option("hold", "Nobody fires at this move", "pass", mover.id, rule=rule)

        who = battle.name(ready[0]) if len(ready) == 1 else f"{len(ready)} Units"
        prompt = f"{battle.name(mover)} is on the move: does {who} fire?"
        if len(ready) > 1:
            prompt = f"{battle.name(mover)} is on the move: {who} could fire"
        reaction = OVERWATCH if watching else REACTION_FIRE
        side = battle.other(mover.side)
        about = (mover.id, *(unit.id for unit in ready))
        return Ask(side, prompt, options, reaction=reaction, rule=rule, meanwhile="pass", about=about)

    def stopped(self, mover: Platoon) -> bool:
        """Fire stops nobody on an ordinary move: who survives finishes it (7.4)."""
        return False


def option(battle: CompanyBattle, unit: Platoon, mover: Platoon, fired: Volley) -> Option:
    """To react with a volley, as something to choose."""
    plain = firing.option(battle, unit, mover, fired)
    text = f"{battle.name(unit)} fires{firing.said(fired.word)} ({firing.numbers(fired)})"
    rule = "7.3" if any(unit.models[firer.row].watch for firer in fired.firers) else "7.1"
    key = f"react {unit.id} {fired.word}".strip()
    return Option(
        key, text, "react", unit.id, plain.place, mover.id, rule=rule, range=plain.range, distance=plain.distance
    )


def watch(battle: CompanyBattle, mover: Platoon, party: Sequence[int], *, assaulted: str = "") -> Reactions | None:
    """Those who may fire at Teams of a Unit on their way; None if nobody could."""
    found = Reactions(battle, mover, party, assaulted)
    return found if found.able(mover) else None
