"""What to do with an Impulse: every action weighed against every other, and against keeping the point (67)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from grognard.core.ask import Ask, Option
from grognard.core.tactics import Clock, Reason
from grognard.games.ost import morale
from grognard.games.ost.fire_groups import group_targets
from grognard.games.ost.state import BROKEN, GOOD, Unit
from grognard.games.ost.tactics import rides
from grognard.games.ost.tactics.assignments import CLEAR, GRAB, HOLD, Assignments
from grognard.games.ost.tactics.cards import card_choices
from grognard.games.ost.tactics.harm import FULL, HALF, ONLY, chance_of, chance_of_one
from grognard.games.ost.tactics.melee_odds import defenders, outlook, with_company
from grognard.games.ost.tactics.moves import Moves, Plan
from grognard.games.ost.tactics.position import Position
from grognard.games.ost.tactics.shots import Attack, Shots, percent
from grognard.games.ost.tactics.strikes import Strikes
from grognard.kits.hex.tactics.choices import Choice, Why, also, because

#: An Impulse Point is worth this part of an ordinary unit where points are scarce, and kept for Opportunity Fire.
PRICE, VIGIL = 0.025, 0.03
#: How far rallying, digging in and locking an enemy in Melee count.
RALLY, DIG, LOCK, GROUND = 0.75, 1.4, 0.12, 0.8
#: What a support weapon is worth that must be left behind, as a part of who carried it.
LEFT_BEHIND = 0.15
#: Strikes are kept for good targets while there is time: as parts of an ordinary enemy's worth.
KEEP_STRIKE = 0.3


class Commander:
    """One side's thoughts about one position."""

    def __init__(self, position: Position) -> None:
        self.position, self.battle = position, position.battle
        self.assignments = Assignments(position)
        self.moves = Moves(position, self.assignments)
        self.shots = Shots(position)
        self.strikes = Strikes(self.shots, self.moves)
        self.approaches = position.know.approaches
        total = sum(position.piece(unit).worth for unit in position.mine)
        #: What an ordinary unit of the side is worth.
        self.common = total / len(position.mine) if position.mine else 3.0
        points = position.state.points
        mine = max(points.get(position.side, 0), 1)
        able = sum(2 - min(self.battle.actions(u), 2) for u in position.mine if u.morale != BROKEN)
        self.price = PRICE * self.common * min(max(able / mine, 0.25), 1.5)

    # -- the question ---------------------------------------------------------------------

    def choices(self, ask: Ask, clock: Clock | None = None) -> list[Choice]:
        """Every option of an Impulse with what it is worth, less what its points could do elsewhere."""
        found = list(self.gross(ask, clock))
        self.price = price = max(self._margin(found), self._vigil())
        return [_paid(choice, price * points(choice.key)) for choice in found]

    def _margin(self, found: list[Choice]) -> float:
        """What the last point would be spent on: nothing, where there are more points than things to do."""
        best: dict[str, float] = {}
        for choice in found:
            verb, _, rest = choice.key.partition(" ")
            if verb in ("fire", "move", "rally", "assault", "enter", "oba"):
                best[f"{verb} {rest.split()[0]}"] = max(choice.worth, best.get(f"{verb} {rest.split()[0]}", 0.0))
        worths = sorted(best.values(), reverse=True)
        left = self.position.state.points.get(self.position.side, 0)
        return 0.5 * worths[left] if 0 <= left < len(worths) else 0.0

    def _vigil(self) -> float:
        """What a point is worth that is kept for Opportunity Fire."""
        position = self.position
        theirs = position.state.points.get(position.enemy, 0)
        ready = sum(1 for unit in position.mine if position.piece(unit).fresh >= 1)
        if not theirs or not ready:
            return 0.0
        mine = position.state.points.get(position.side, 0)
        return VIGIL * self.common * min(1.0, theirs / (mine + 1)) * min(1.0, ready / 3)

    def gross(self, ask: Ask, clock: Clock | None = None) -> Iterator[Choice]:
        """Every option of an Impulse with what it is worth, whatever it costs; the quickly weighed ones first."""
        weigh: dict[str, Callable[[Option], Choice | None]] = {
            "pass": lambda option: Choice(0.0, option.key, because("waits and saves points", 0.0)),
            "burn": lambda option: Choice(0.0, option.key, because("wastes a point", 0.0)),
            "rally": self.rally,
            "cover": self.cover,
            "enter": self.enter,
            "fire": self.fire,
            "assault": self.assault,
            "group_assault": self.assault,
            "clear": self.clear,
            "oba": self.oba,
            "air": self.air,
            "engineer_smoke": self.smoke,
            "fire_group": self.fire_group,
            "move": self.move,
            "group_move": self.group_move,
        }
        options = sorted(ask.options, key=lambda option: option.verb in ("move", "group_move"))
        for option in options:
            if clock is not None and clock.late and option.verb not in ("pass", "burn"):
                continue
            if option.verb == "card":
                yield from card_choices(self, option)
                continue
            weigher = weigh.get(option.verb)
            choice = weigher(option) if weigher else Choice(-2.0, option.key)
            if choice is not None:
                yield choice

    def _unit(self, option: Option) -> Unit:
        return self.battle.unit(option.unit)

    # -- fire ---------------------------------------------------------------------

    def fire(self, option: Option) -> Choice:
        """The best shot of a unit, less the point; better before it moves than after."""
        unit = self._unit(option)
        attack = self.shots.best(unit)
        screen, hex = self.strikes.best_screen(unit)
        if hex and screen > (attack.worth if attack is not None else 0.0):
            return Choice(screen, option.key, self.strikes.why_screen(screen, hex))
        if attack is None:
            return Choice(-0.1, option.key, because("only with a weapon it would have to pick up", -0.1))
        early = 0.1 * attack.worth if attack.worth > 0 and not unit.moved and not self.battle.used(unit) else 0.0
        why = also(lambda: self.shots.reasons(attack, unit), Reason("it can still move afterwards", early))
        return Choice(attack.worth + early, option.key, why)

    def fire_group(self, option: Option) -> Choice:
        """Two units at one target for two points: where one alone would do little."""
        _, one, two = option.key.split()
        first, second = self.battle.unit(one), self.battle.unit(two)
        attack = self.best_group(first, second)
        if attack is None:
            return Choice(-0.1, option.key)
        singly = [self.shots.best(unit) for unit in (first, second)]
        alone = sum(max(each.worth, 0.0) for each in singly if each is not None)
        worth = min(attack.worth, attack.worth - 0.3 * alone)
        apart = Reason("they could fire separately", worth - attack.worth)
        return Choice(worth, option.key, also(lambda: self.shots.reasons(attack, first), apart))

    def best_group(self, first: Unit, second: Unit) -> Attack | None:
        """The best attack of a Fire Group."""
        targets = [foe.unit for foe in self.position.foes if foe.hex not in self.battle.state.melees]
        found = [self.shots.group(first, second, *each) for each in group_targets(self.battle, first, second, targets)]
        return max(found, key=lambda attack: attack.worth, default=None)

    # -- moves ---------------------------------------------------------------------

    def move(self, option: Option) -> Choice:
        """The best Move of a unit, or getting off what carries it."""
        unit = self._unit(option)
        if unit.aboard:
            worth, why = rides.unload(self, unit)
            return Choice(worth, option.key, because(why, worth))
        plan = self.best_move(unit)
        lifts = [rides.board(self, unit, carrier) for carrier in rides.empty_carriers(self.battle, unit)]
        if lifts and (best := max(lifts))[0] > (plan.worth if plan is not None else 0.0):
            return Choice(best[0], option.key, because(best[1], best[0]))
        if plan is None:
            return Choice(-1.0, option.key)
        return Choice(plan.worth, option.key, lambda: self._why_move(unit, plan))

    def _why_move(self, unit: Unit, plan: Plan) -> tuple[Reason, ...]:
        """Why a Move is good or bad, with what it gives up; what its points could do is told apart."""
        if plan.first.startswith("exit"):
            return (Reason("leaves the map as ordered", plan.worth),)
        return (*self.moves.reasons(unit, plan), *self._given_up(unit))

    def best_move(self, unit: Unit) -> Plan | None:
        """The best Move of a unit, against what it gives up by moving; leaving the map is one too."""
        plan = self.moves.best(unit)
        assignment = self.assignments.of(unit)
        if assignment is not None and assignment.kind == "leave" and self.leaves(unit):
            stay = self.moves.place(unit, unit.hex, unit.facing)
            worth = self.moves.parting(unit, assignment) - stay.total
            return Plan(worth, f"exit {unit.hex}", unit.hex, unit.facing, 0.0, stay)
        if plan is None:
            return None
        return plan._replace(worth=plan.worth + sum(reason.worth for reason in self._given_up(unit)))

    def _given_up(self, unit: Unit) -> list[Reason]:
        """What a unit gives up by moving at all."""
        piece, found = self.position.piece(unit), []
        if piece.fresh >= 1 and unit.fired == 0:
            attack = self.shots.best(unit)
            if attack is not None and attack.worth > 0:
                found.append(Reason("gives up a shot", -attack.worth * (0.9 if piece.kind.asterisk else 0.3)))
        if unit.hidden:
            found.append(Reason("gives away its position", -0.15 * piece.worth, secret=True))
        if left := self._left_behind(unit):
            found.append(Reason("leaves a weapon behind", -left))
        return found

    def _left_behind(self, unit: Unit) -> float:
        """What it costs a unit to move that has more support weapons than it may carry (20.11)."""
        weapons = self.position.weapons.get(unit.id, ())
        return LEFT_BEHIND * self.position.piece(unit).power * (len(weapons) - 1) if len(weapons) > 1 else 0.0

    def leaves(self, unit: Unit) -> bool:
        """Whether a unit stands where it may leave the map."""
        hexes = self.battle.scenario.exits.get(unit.side, frozenset())
        return unit.hex in hexes and self.battle.grid.is_edge(unit.hex)

    def group_move(self, option: Option) -> Choice:
        """Two units under one Leader: one shot at both of them instead of one at each."""
        _, one, two = option.key.split()
        plans = [self.moves.best(self.battle.unit(id)) for id in (one, two)]
        if any(plan is None or plan.worth <= 0 for plan in plans):
            return Choice(-0.1, option.key)
        first = plans[0]
        assert first is not None
        unit = self.battle.unit(one)
        worth = 0.85 * sum(plan.worth for plan in plans if plan is not None)
        other = self.battle.unit(two)
        worth -= self._left_behind(unit) + self._left_behind(other)
        worth = min(worth, 3 * first.worth)

        def why() -> tuple[Reason, ...]:
            found = self.moves.reasons(unit, first)
            more = worth - sum(reason.worth for reason in found)
            return (*found, Reason(f"{self.battle.name(other)} goes along", more))

        return Choice(worth, option.key, why)

    def enter(self, option: Option) -> Choice:
        """Reinforcements are of no use off the map."""
        unit = self._unit(option)
        kind = self.battle.kinds[unit.kind]
        victory_values = self.position.know.victory_values
        worth = 0.3 * victory_values.fighting(kind, unit.side) + 0.6 * self.common
        riders = [u for u in self.battle.state.units.values() if u.aboard == unit.id]
        worth += sum(0.3 * victory_values.fighting(self.battle.kinds[u.kind], u.side) for u in riders)
        return Choice(worth, option.key, because("brings on reinforcements", worth))

    # -- close combat ---------------------------------------------------------------------

    def assault(self, option: Option) -> Choice:
        """Into an enemy hex: the Melee that follows, and what the hex is worth (82)."""
        words = option.key.split()
        units = [self.battle.unit(id) for id in words[1:-1]]
        return self.weigh_assault(option.key, units, words[-1])

    def weigh_assault(self, key: str, units: list[Unit], hex: str) -> Choice:
        """What an assault of these units on a hex is worth."""
        position, battle = self.position, self.battle
        theirs = defenders(battle, hex, position.side)
        ours = with_company(battle, units)
        if not theirs:
            return Choice(-1.0, key)
        view = outlook(self.shots, ours, theirs)
        prize = self.prize(hex)
        locked = sum(LOCK * piece.power for piece in map(position.piece, theirs) if piece.fresh)
        ground = view.won * (prize + GROUND) - view.lost * 0.5
        spared = left = shown = 0.0
        for unit in units:  # out of the enemy's fire, but away from what it held
            spared += 0.5 * self.moves.place(unit, unit.hex).risk
            assignment = self.assignments.of(unit)
            if assignment is not None and assignment.kind == HOLD and assignment.goal == unit.hex:
                left += 0.4 * assignment.prize * (1 - view.won)
            if unit.hidden:
                shown += 0.15 * position.piece(unit).worth
        found = [
            Reason(f"{percent(view.won)} to clear {hex}, {percent(view.lost)} to be driven out", ground),
            Reason("enemy losses in the Melee", view.gained),
            Reason("own losses in the Melee", -view.paid),
            Reason("units in Melee can't fire", locked),
            Reason("can't be fired at in Melee", spared),
            Reason("leaves the hex it was holding", -left),
            Reason("gives away its position", -shown, secret=True),
        ]
        return Choice(sum(reason.worth for reason in found), key, also(None, *found))

    def prize(self, hex: str) -> float:
        """What taking a hex from the enemy is worth; keeping one's own is worth as much."""
        for goal in self.position.goals:
            if goal.hex == hex:
                side, enemy = self.position.side, self.position.enemy
                owner = self.position.state.control.get(hex, "")
                return GRAB * (goal.worth.get(side, 0) + (1.0 if owner == enemy else 0.5) * goal.worth.get(enemy, 0))
        return 0.0

    # -- morale and cover ---------------------------------------------------------------------

    def rally(self, option: Option) -> Choice:
        """A Rally attempt: what the unit is worth again, by its chance (70)."""
        unit = self._unit(option)
        worth, chance = self.rally_worth(unit)
        return Choice(worth, option.key, because(f"{percent(chance)} to rally {self.battle.name(unit)}", worth))

    def rally_worth(self, unit: Unit) -> tuple[float, float]:
        """What a Rally attempt is worth, and its chance."""
        position, battle = self.position, self.battle
        numbers = battle.charts["rally"]
        broken = unit.morale == BROKEN
        needed = numbers["broken_at_least" if broken else "shaken_at_least"]
        chance = chance_of(needed, morale.rally_tally(battle, unit).total)
        piece = position.piece(unit)
        left = (FULL if piece.steps == 2 else HALF) if piece.two else ONLY
        full = piece.power / left[unit.morale]
        gain = chance * (left[GOOD] - left[unit.morale])
        if broken:
            gain += (1 - chance) * (left[1] - left[2])
        worth = gain * full * RALLY
        if position.last:
            worth *= 0.5
        worth *= 0.6 + 0.5 * (not battle.used(unit))
        control = position.state.control
        if unit.hex in control and control[unit.hex] != unit.side and unit.hex not in battle.state.melees:
            if self.assignments.may_take(unit) or not battle.kinds[unit.kind].single:
                worth += chance * self.prize(unit.hex)
        if position.near(unit.hex, 1, position.enemy):
            worth *= 1.2
        return worth, chance

    def cover(self, option: Option) -> Choice:
        """A try for Cover: for those who stay where they are under fire (25)."""
        unit = self._unit(option)
        position = self.position
        piece = position.piece(unit)
        needed = self.battle.charts["counter"]["cover"]["success_at_least"]
        chance = chance_of_one(needed)
        if piece.kind.vehicle:
            now = position.armor_danger(unit, unit.hex, unit.facing)[0]
            spared = 0.2 * now
        else:
            guard = position.guard(unit, unit.hex)
            spared = position.danger(unit.hex, guard)[0] - position.danger(unit.hex, guard + 1)[0]
        assignment = self.assignments.of(unit)
        stays = assignment is None or assignment.kind == HOLD or unit.morale or piece.kind.crewed
        here = sum(position.piece(u).worth for u in position.mine if u.hex == unit.hex)
        worth = chance * spared * here * DIG * self.moves.later * (1.0 if stays else 0.35)
        worth += 0.002 * chance * piece.worth
        return Choice(worth, option.key, because(f"{percent(chance)} to find Cover", worth))

    # -- special work ---------------------------------------------------------------------

    def clear(self, option: Option) -> Choice:
        """Engineers clear what bars the way."""
        unit = self._unit(option)
        assignment = self.assignments.of(unit)
        bars = assignment is not None and assignment.kind == CLEAR and assignment.goal == unit.hex
        worth = 4.0 if bars and "roadblock" in option.key else 0.3
        return Choice(worth, option.key, because("opens the way", worth))

    def smoke(self, option: Option) -> Choice:
        """Smoke for those who are fired at."""
        unit = self._unit(option)
        worth, hex = self.strikes.best_smoke(unit)
        return Choice(worth, option.key, self.strikes.why_screen(worth, hex))

    def oba(self, option: Option) -> Choice:
        """A strike, if there is a target that is worth it, or Smoke for those who are fired at."""
        kind = option.key.split()[1]
        worth, hex = self.strikes.best_oba(kind)
        kept = self.keep_strike(kind)
        screen, over = self.strikes.best_oba_smoke(kind)
        if over and screen > worth:
            return Choice(screen - kept, option.key, also(self.strikes.why_screen(screen, over), _kept_for(kept)))
        return Choice(worth - kept, option.key, self._why_strike(hex, worth, kept))

    def _why_strike(self, hex: str, worth: float, kept: float) -> Why:
        if not hex:
            return because("no enemy in sight to strike", worth - kept)
        return also(lambda: self.strikes.reasons(hex, worth), _kept_for(kept))

    def air(self, option: Option) -> Choice:
        """An Air Strike, if there is a target that is worth it."""
        worth, hex = self.strikes.best_air()
        kept = self.keep_strike("air")
        return Choice(worth - kept, option.key, self._why_strike(hex, worth, kept))

    def keep_strike(self, kind: str) -> float:
        """What a strike is worth that is kept for later: less with every turn, and the more of them there are.

        It is for the enemy's units, so that what an ordinary one of them is worth tells what may still be hit.
        """
        foes = self.position.foes
        common = sum(foe.worth for foe in foes) / len(foes) if foes else self.common
        part: float = min(1.0, (self.position.turns - 1) / self.battle.scenario.turns)
        left = self.position.state.assets.get(self.position.side, {}).get(kind, 1)
        return KEEP_STRIKE * common * part / max(left, 1)


def _kept_for(kept: float) -> Reason:
    return Reason("a better target may turn up", -kept)


def _paid(choice: Choice, price: float) -> Choice:
    """An choice less what its Impulse Points could do elsewhere."""
    if not price:
        return choice
    why = also(choice.why, Reason("the points could be spent elsewhere", -price)) if choice.why is not None else None
    return choice._replace(worth=choice.worth - price, why=why)


def points(key: str) -> int:
    """How many Impulse Points an answer costs (67.5)."""
    verb = key.partition(" ")[0]
    if verb in ("pass", "card", "abandon", "lift"):
        return 0
    return 2 if verb in ("fire_group", "group_move", "group_assault", "rolling_cover") else 1
