"""The regular: a simple opponent that knows no game, only what every game tells of its options.

It fires where the odds are good, reacts when it has a fair chance of an effect, and walks towards objectives that are
not its side's along ways on which few enemies could react. What nothing else decides the game's temper does.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from math import atan2, degrees, hypot
from random import Random
from typing import NamedTuple

from grognard.core import odds as exact
from grognard.core.aids import BoardView
from grognard.core.ask import Ask, Option
from grognard.core.errors import GrognardError
from grognard.core.prospects import prospect
from grognard.core.session import Session
from grognard.core.view import Branch, Journey

#: Below this chance of an effect a reaction is passed, and a shot of one's own is not worth the action.
REACT = 0.25
SHOOT = 0.12
#: How much a shot's worth counts against getting nearer to an objective and against the game's temper.
FIRE, STEP, STAND, DANGER, TEMPER = 1.6, 0.09, 0.5, 0.12, 0.2
HASTE = 1.5
#: How many units and shots are looked at for one answer, and how far odds are worked out for it.
MOVERS, SHOTS, TARGETS = 5, 24, 4
#: How often an order that needs a roll first is tried, to see how often it goes well and what it then brings.
TRIES = 4
BRANCHES, SAMPLES, RESULTS = 120, 40, 3


class RegularPlayer:
    """Plays by odds and objectives. The same seed in the same position answers the same, while time suffices."""

    name = "regular"
    title = "Regular"
    text = "Fires when the odds are good, rallies, and makes for the objectives: a fair match for a newcomer."
    rank = 1
    #: It gets a copy of the battle to try things in.
    thinks = True

    def __init__(self, seed: int | str | bytes = 0) -> None:
        self.seed = seed.hex() if isinstance(seed, bytes) else str(seed)
        self._boards: dict[str, _Board] = {}

    def choose_from(self, probe: Session, deadline: float) -> str:
        """The key of an option of the question that stands in a copy which knows what its side knows."""
        ask = probe.ask
        if ask is None:
            raise GrognardError("the battle is over; no question stands")
        if len(ask.options) == 1:
            return ask.options[0].key
        rng = Random(f"{self.seed} {probe.digest} {ask.prompt}")
        board = self._boards.get(probe.scenario.name)
        if board is None:
            board = self._boards[probe.scenario.name] = _Board(probe.game.board(probe.scenario))
        return _Choice(probe, ask, board, rng, deadline).key()


class _Board:
    """Where places lie, for telling how far apart they are."""

    def __init__(self, board: BoardView) -> None:
        self.hexes = {hex.id: (hex.q, hex.r) for hex in board.hexes}
        self.middles = {hex.id: (hex.x, hex.y) for hex in board.hexes}
        self.facings, self.step = board.facings, board.step

    def distance(self, start: str, end: str) -> float:
        """How far apart two places are, in hexes or in the table's measure; far where one is off the map."""
        if start in self.hexes and end in self.hexes:
            (q, r), (p, s) = self.hexes[start], self.hexes[end]
            return max(abs(q - p), abs(r - s), abs(q + r - p - s))
        here, there = self._point(start), self._point(end)
        return hypot(here[0] - there[0], here[1] - there[1]) if here and there else 1000.0

    def _point(self, place: str) -> tuple[float, float] | None:
        x, _, y = place.partition(",")
        try:
            return float(x), float(y)
        except ValueError:
            return None

    def off(self, start: str, facing: int, end: str) -> float:
        """By how many degrees a facing points past a place."""
        here, there = self.middles.get(start), self.middles.get(end)
        if not here or not there or here == there or not 0 < facing <= len(self.facings):
            return 0.0
        towards = degrees(atan2(there[0] - here[0], here[1] - there[1]))
        return abs((self.facings[facing - 1] - towards + 180) % 360 - 180)


class _Worth(NamedTuple):
    """What an answer is worth."""

    score: float
    key: str


class _Choice:
    """One answer in the making: what is known of the position, and the clock."""

    def __init__(self, probe: Session, ask: Ask, board: _Board, rng: Random, deadline: float) -> None:
        self.probe, self.ask, self.board, self.rng = probe, ask, board, rng
        self.options, self.side = ask.options, ask.side
        self.end = deadline
        self.temper = probe.game.temper()
        view = probe.game.view(probe.battle, self.side)
        self.own = {unit.id: unit.place for unit in view.units if unit.side == self.side}
        self.foes = {unit.id: unit.place for unit in view.units if unit.side != self.side and unit.place}
        names = probe.game.names(probe.battle)
        self.names = [names[id] for id in self.own if id in names]
        flags = [marker for marker in view.markers if marker.kind == "objective"]
        #: What is to be won matters more with every turn that is gone.
        self.haste = 1.0 + HASTE * view.turn / max(int(probe.scenario.turns), 1)
        self.radius = {marker.place: marker.radius for marker in flags}
        self.goals = [marker.place for marker in flags if marker.side != self.side]
        self.held = {marker.place for marker in flags if marker.side == self.side}

    @property
    def late(self) -> bool:
        """Whether it is time to answer with the best that is at hand."""
        return time.monotonic() >= self.end

    def key(self) -> str:
        """The answer."""
        ask = self.ask
        if ask.reaction:
            return self.reaction()
        if ask.quiet and any(option.cost for option in self.options):
            return self.action()
        if ask.quiet and self._chooses_a_unit():
            return self.pick()
        if self._gives_an_order():
            return self.action()
        aimed = [option for option in self.options if option.target in self.foes]
        if aimed and any(_is_way(option) for option in self.options):
            return self.strike_or_go(aimed)
        if aimed:
            return self.aim(aimed)
        movers = {option.unit for option in self.options}
        if not ask.quiet and len(movers) == 1 and (mover := movers.pop()) in self.own:
            return self.on_the_way(mover)
        return self.by_temper(self.options)

    # -- by temper -----------------------------------------------------------------------------------

    def weight(self, option: Option) -> float:
        """How much a verb is liked."""
        return self.temper.get(option.verb, 1.0)

    def by_temper(self, options: Sequence[Option]) -> str:
        """A verb by how much it is liked, then one of its options: near what matters, where it has a place."""
        verbs = list(dict.fromkeys(option.verb for option in options))
        weights = [max(self.temper.get(verb, 1.0), 1e-6) for verb in verbs]
        verb = self.rng.choices(verbs, weights)[0]
        found = [option for option in options if option.verb == verb]
        if all(option.place for option in found):
            if not any(option.unit for option in found) and self.foes:
                return max(found, key=lambda option: (self._crowd(option.place), self.rng.random())).key
            if self.goals or self.held:
                found = self.rng.sample(found, min(3, len(found)))
                return min(found, key=lambda option: self._to_goal(option.place, [*self.goals, *self.held])).key
        return self.rng.choice(found).key

    def _crowd(self, place: str) -> int:
        """The enemies in and around a place, less one's own, who count double."""
        near = sum(self.board.distance(place, foe) <= 1 for foe in self.foes.values())
        return near - 2 * sum(self.board.distance(place, own) <= 1 for own in self.own.values() if own)

    def _to_goal(self, place: str, goals: Iterable[str]) -> float:
        return min((self.board.distance(place, goal) for goal in goals), default=0.0)

    # -- shots ---------------------------------------------------------------------------------------

    def odds(self, *keys: str) -> tuple[float, float]:
        """The chance of any effect of an answer, and how much of it is to be expected."""
        found = exact.odds(self.probe, keys, BRANCHES, SAMPLES)
        return float(found.effect), sum(float(o.probability) * self._good(o.results) for o in found.outcomes)

    def _good(self, results: Sequence[str]) -> int:
        """How much of what comes of an answer is good: what befalls one's own units is not."""
        bad = sum(any(name in text for name in self.names) for text in results)
        return min(len(results) - bad, RESULTS) - min(bad, RESULTS)

    def reaction(self) -> str:
        """Fire when there is a fair chance of an effect, else let it pass."""
        hold = next((option for option in self.options if option.verb == "pass"), None)
        best = _Worth(0.0, hold.key if hold else self.options[0].key)
        for option in sorted(self.options, key=lambda each: each.range)[: SHOTS + 1]:
            if option is hold or self.late:
                continue
            effect, worth = self.odds(option.key)
            if effect >= REACT and worth > best.score:
                best = _Worth(worth, option.key)
        return best.key

    def aim(self, aimed: Sequence[Option]) -> str:
        """The best of several shots, once it is settled that one is fired."""
        best = _Worth(-1.0, aimed[0].key)
        for option in sorted(aimed, key=lambda each: each.range)[:SHOTS]:
            if self.late:
                break
            _, worth = self.odds(option.key)
            best = max(best, _Worth(worth, option.key), key=lambda each: each.score)
        return best.key

    def strike_or_go(self, aimed: Sequence[Option]) -> str:
        """Where one may go at an enemy or somewhere else: whatever brings more."""
        found = [worth for worth in (self._best_shot(aimed), self._best_step()) if worth is not None]
        if found:
            return max(found, key=lambda each: each.score).key
        return self.by_temper([option for option in self.options if option not in aimed])

    def _best_shot(self, aimed: Sequence[Option]) -> _Worth | None:
        """The best of several shots that is worth while."""
        best: _Worth | None = None
        for option in sorted(aimed, key=lambda each: each.range)[:TARGETS]:
            if self.late:
                break
            effect, worth = self.odds(option.key)
            if effect >= SHOOT and worth > 0 and (best is None or FIRE * worth > best.score):
                best = _Worth(FIRE * worth, option.key)
        return best

    def _best_step(self) -> _Worth | None:
        """The best of the places that the question itself offers."""
        ways = [option for option in self.options if _is_way(option) and option.unit in self.own]
        found = [
            _Worth(gain, option.key)
            for option in ways
            if (gain := self._gain(self._from(option.unit), Journey(option.place, [option.key], 0.0))) > 0
        ]
        return max(found, key=lambda each: each.score, default=None)

    def lucky(self, option: Option) -> _Worth | None:
        """What an answer is worth whose roll comes before anything else, by how often and how well it goes on."""
        good, best = 0, 0.0
        for number in range(TRIES):
            if self.late:
                break
            after = self.probe.fork(b"luck %d" % number)
            rolled = after.dice.position
            after.answer(option.key, trusted=True)
            if after.dice.position == rolled:
                return None
            ask = after.ask
            if ask is None or ask.side != self.side or ask.quiet or not any(o.unit == option.unit for o in ask.options):
                continue
            good += 1
            if best == 0:
                choice = _Choice(after, ask, self.board, self.rng, self.end)
                aimed = [each for each in ask.options if each.target in self.foes]
                found = (choice._best_shot(aimed), choice._best_step())
                best = max((worth.score for worth in found if worth is not None), default=0.0)
        return _Worth(best * good / TRIES, option.key) if best else None

    def look(self) -> list[Branch]:
        """What each option of one's own units leads to."""
        found: list[Branch] = []
        for unit in dict.fromkeys(option.unit for option in self.options if option.unit in self.own):
            if self.late:
                break
            found += prospect(self.probe, unit, journeys=False).branches
        return found

    def shots(self, branches: Sequence[Branch]) -> _Worth | None:
        """The best shot that can be begun now, straight or one answer further on."""
        chains: list[tuple[int, tuple[str, ...]]]
        chains = [(option.range, (option.key,)) for option in self.options if option.target in self.foes]
        for branch in branches:
            targets = sorted((o for o in branch.follow if o.target in self.foes), key=lambda each: each.range)
            chains += [(each.range, (branch.option.key, each.key)) for each in targets[:TARGETS]]
        best: _Worth | None = None
        for _, keys in sorted(chains)[:SHOTS]:
            if self.late:
                break
            effect, worth = self.odds(*keys)
            if effect >= SHOOT and (best is None or FIRE * worth > best.score):
                best = _Worth(FIRE * worth, keys[0])
        return best

    # -- who acts, and what it is ordered to do ----------------------------------------------------------

    def _chooses_a_unit(self) -> bool:
        """Whether the question is which unit shall act, and nothing more."""
        units = [option.unit for option in self.options]
        plain = not any(option.cost or option.place or option.target for option in self.options)
        return plain and len(set(units)) == len(units) > 1 and all(unit in self.own for unit in units)

    def _gives_an_order(self) -> bool:
        """Whether the question is what a unit that was chosen shall do: several verbs, nothing to aim at or to pay."""
        movers = {option.unit for option in self.options}
        plain = not any(option.cost or option.place or option.target for option in self.options)
        verbs = {option.verb for option in self.options}
        return plain and not self.ask.quiet and len(movers) == 1 and movers <= set(self.own) and len(verbs) > 2

    def pick(self) -> str:
        """The unit whose best order is worth most: those nearest to the enemy are thought of first."""

        def near(option: Option) -> float:
            place = self.own[option.unit]
            return min((self.board.distance(place, foe) for foe in self.foes.values()), default=0.0)

        start = time.monotonic()
        share = (self.end - start) / max(1, min(len(self.options), MOVERS))
        best = _Worth(-1.0, self.by_temper(self.options))
        for number, option in enumerate(sorted(self.options, key=near)[:MOVERS], 1):
            if self.late:
                break
            probe = self.probe.fork()
            probe.answer(option.key, trusted=True)
            if probe.ask is None or probe.ask.side != self.side:
                continue
            choice = _Choice(probe, probe.ask, self.board, self.rng, min(self.end, start + number * share))
            if choice._gives_an_order():
                best = max(best, choice.best_action()._replace(key=option.key), key=lambda each: each.score)
        return best.key

    # -- actions and moves -----------------------------------------------------------------------------

    def action(self) -> str:
        """The best of shooting, going somewhere, and what the game's temper likes."""
        return self.best_action().key

    def best_action(self) -> _Worth:
        """The best action with what it is worth."""
        start = time.monotonic()
        budget = self.end - start
        self.end = start + 0.5 * budget
        branches = self.look()
        found = [worth for worth in (self.shots(branches),) if worth is not None]
        self.end = start + 0.9 * budget
        for unit in self._walkers({branch.option.unit for branch in branches if _begins_move(branch)}):
            if self.late:
                break
            if (worth := self._best_way(unit, self._ways(unit))) is not None:
                found.append(worth)
        weighed = {branch.option.verb for branch in branches if _begins_move(branch) or self._aims(branch)}
        if self._gives_an_order():
            rolls = [branch.option for branch in branches if not branch.follow and not branch.journeys]
            chances = [worth for option in rolls if (worth := self.lucky(option)) is not None]
            found += chances
            weighed |= {option.verb for option in rolls if any(each.key == option.key for each in chances)}
        found += [
            _Worth(TEMPER * self.weight(option) * (0.9 + 0.1 * self.rng.random()), option.key)
            for option in self.options
            if option.verb not in weighed and option.target not in self.foes
        ]
        return max(found, key=lambda each: each.score) if found else _Worth(0.0, self.by_temper(self.options))

    def _aims(self, branch: Branch) -> bool:
        """Whether an option leads to a choice of targets."""
        return any(option.target in self.foes for option in branch.follow)

    def _walkers(self, movers: set[str]) -> list[str]:
        """The movers nearest to an objective that is not held; those alone on one of their own stay."""
        at = {unit: next((flag for flag in self.held if self._on(place, flag)), "") for unit, place in self.own.items()}
        flags = list(at.values())
        free = [unit for unit in self.own if unit in movers and (not at[unit] or flags.count(at[unit]) > 1)]
        if not self.goals:
            return [unit for unit in free if not self.own[unit]][:MOVERS]
        return sorted(free, key=lambda unit: self._to_goal(self.own[unit], self.goals))[:MOVERS]

    def _ways(self, unit: str) -> list[Branch]:
        """Where a unit can go, as far as there is time to find out."""
        return prospect(self.probe, unit, seconds=max(self.end - time.monotonic(), 0.02)).branches

    def _best_way(self, unit: str, branches: Sequence[Branch]) -> _Worth | None:
        """The journey of a unit that brings it most, as the answer that it begins with."""
        here = self._from(unit)
        found = [
            _Worth(score, branch.option.key)
            for branch in branches
            for journey in branch.journeys
            if (score := self._gain(here, journey)) > 0
        ]
        return max(found, key=lambda each: each.score, default=None)

    def _from(self, unit: str) -> float:
        """How far a unit is from what is to be won."""
        return self._to_goal(self.own[unit], self.goals) if self.own[unit] else 30.0

    def _on(self, place: str, flag: str) -> bool:
        """Whether a place is at an objective."""
        return place == flag or 0 < self.radius[flag] >= self.board.distance(place, flag)

    def _gain(self, here: float, journey: Journey) -> float:
        nearer = here - self._to_goal(journey.place, self.goals)
        if nearer <= 0:
            return 0.0
        arrival = STAND if any(self._on(journey.place, goal) for goal in self.goals) else 0.0
        worth = (0.25 + STEP * nearer + arrival) * self.haste
        return max(worth - DANGER * (len(journey.reactors) + len(journey.rolls)), 0.01)

    def on_the_way(self, unit: str) -> str:
        """In the midst of something that one unit does: on towards the goal, or an end to it."""
        branches = self._ways(unit)
        if (way := self._best_way(unit, branches)) is not None:
            return way.key
        ends = [option for option in self.options if not option.cost]
        if len(ends) == len(self.options) and all(option.place == self.own[unit] for option in ends):
            return self._face(unit, ends)
        return self.by_temper(ends or self.options)

    def _face(self, unit: str, options: Sequence[Option]) -> str:
        """Of answers that leave a unit where it is the one that lets it look at the nearest enemy, or objective."""
        place = self.own[unit]
        ahead = list(self.foes.values()) or self.goals
        if not ahead or not place:
            return self.by_temper(options)
        to = min(ahead, key=lambda each: self.board.distance(place, each))
        turned: list[tuple[float, int, str]] = []
        for number, option in enumerate(options):
            facing = self._facing_after(unit, option.key)
            if facing:
                turned.append((self.board.off(place, facing, to), number, option.key))
        return min(turned)[2] if len(turned) == len(options) else self.by_temper(options)

    def _facing_after(self, unit: str, key: str) -> int:
        battle, procedure, _ = self.probe.trial()
        position = battle.dice.position
        try:
            procedure.send(key)
        except StopIteration:
            return 0
        return self.probe.game.whereabouts(battle, unit)[1] if battle.dice.position == position else 0


def _is_way(option: Option) -> bool:
    """Whether an option is a place to go to at a cost."""
    return bool(option.cost and option.place and not option.target)


def _begins_move(branch: Branch) -> bool:
    """Whether an option leads to a choice of places for its unit, at a cost."""
    unit = branch.option.unit
    return any(o.unit == unit and _is_way(o) for o in branch.follow)
