"""What a shot is worth: its exact odds, from the same tallies that resolve it, against what it gives away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.core.tactics import Reason
from grognard.games.ost import combat, firepower, support_weapons
from grognard.games.ost.arms import Arm, Shot, shots
from grognard.games.ost.fire_groups import group_arms
from grognard.games.ost.roster import UnitType
from grognard.games.ost.sight import sight
from grognard.games.ost.state import BROKEN, Unit, Weapon
from grognard.games.ost.tactics.harm import (
    NONE,
    Harm,
    chance_of_one,
    crew_harm,
    foot_harm,
    gun_harm,
    vehicle_harm,
)
from grognard.games.ost.tactics.position import Position

#: What giving itself away costs a hidden unit, and what Intensive Fire costs a unit, as parts of their worth.
SECRET, EXHAUSTION = 0.2, 0.28
#: What a weapon costs that can be used once; what a machine gun risks by Sustained Fire (18.12).
SINGLE, JAM = 0.5, 1 / 36
#: Blowback in a building shakes whoever is there unless they pass a check (20at.3).
BLOWBACK = 0.1


class Attack(NamedTuple):
    """A weighed attack: what it is worth, what it costs beside points, what it does, and to whom."""

    worth: float
    harm: Harm
    target: Unit | None
    key: str = ""
    cost: float = 0.0


class Shots:
    """The shots of one position, each weighed once."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._cache: dict[tuple[str, str], Attack] = {}
        self._best: dict[str, Attack | None] = {}
        self._value: dict[str, float] = {}

    # -- one shot ---------------------------------------------------------------------

    def harm(self, shot: Shot, *, ambush: bool = False, intensive: bool = False) -> Harm:
        """What a shot does on average: the tables read for its Firepower, Defense and dice."""
        battle = self.position.battle
        unit, target, arm = shot.unit, shot.target, shot.arm
        line = sight(battle, unit, target)
        kind = battle.kinds[target.kind]
        power = firepower.firepower_tally(battle, [shot], [line], ambush=ambush, intensive=intensive).total
        how = "close" if arm.near else "fire"
        firers = [unit.hex] if kind.vehicle else []
        guard = combat.defense_tally(battle, target, how, [line], firers=firers, crew=shot.crew).total
        add = firepower.roll_tally(battle, [unit], target, ambush=ambush, intensive=intensive).total
        column = max(power, 1) - guard
        if kind.vehicle and not shot.crew and arm.kind in ("gun", "at"):
            needed = firepower.band(battle, shot)[2]
            hit = firepower.to_hit_tally(battle, shot, line, ambush=ambush, intensive=intensive).total
            return gun_harm(needed, hit, clamp(column), add, *self._vehicle(target, kind))
        return self.on(target, column, add, crew=shot.crew)

    def on(self, target: Unit, column: int, add: int = 0, *, crew: bool = False) -> Harm:
        """What an attack in a column does to a unit that needs no To Hit roll."""
        battle = self.position.battle
        kind = battle.kinds[target.kind]
        gut = battle.scenario.gut_check.get(target.side, 7)
        if kind.vehicle:
            if crew:
                return crew_harm(clamp(column), add, target.morale, gut)
            return vehicle_harm(clamp(column), add, *self._vehicle(target, kind))
        two = kind.reduced is not None
        return foot_harm(clamp(column), add, 2 if two and not target.reduced else 1, two, target.morale, gut)

    def _vehicle(self, unit: Unit, kind: UnitType) -> tuple[bool, bool, int, int, int]:
        gut = self.position.battle.scenario.gut_check.get(unit.side, 7)
        damaged = bool(unit.mgs_out or unit.guns_out or unit.immobilized)
        return kind.armed, damaged, unit.morale, gut, kind.points

    def gain(self, target: Unit, harm: Harm) -> float:
        """What harm to an enemy is worth; harm to one's own counts the other way."""
        position = self.position
        piece = position.piece(target)
        points = harm.points * position.know.victory_values.loss[position.battle.other(target.side)]
        found = harm.loss * piece.power * self.stress(target) + points
        rider = position.battle.passenger(target) if piece.kind.vehicle else None
        if rider is not None:
            found += 0.15 * harm.effect * position.piece(rider).worth
        return found if target.side != position.side else -found

    def stress(self, target: Unit) -> float:
        """How much it matters to hurt a unit now: near what counts, and before it can act."""
        known = self._value.get(target.id)
        if known is not None:
            return known
        position = self.position
        here = position.dist[target.hex]
        found = 1.0
        for goal in position.goals:
            distance = here[goal.hex]
            if distance <= 1:
                found = max(found, 1.35 if distance == 0 else 1.2)
        if target.morale != BROKEN and not position.battle.used(target):
            found *= 1.12
        self._value[target.id] = found
        return found

    def shot(self, shot: Shot, *, ambush: bool = False) -> Attack:
        """A shot weighed with what it costs the firer."""
        key = (shot.unit.id, shot.words + ("!" if ambush else ""))
        known = self._cache.get(key)
        if known is None:
            battle = self.position.battle
            intensive = battle.used(shot.unit)
            harm = self.harm(shot, ambush=ambush or shot.unit.hidden, intensive=intensive)
            cost = self.cost(shot.unit, shot.arm.weapon)
            known = Attack(self.gain(shot.target, harm) - cost, harm, shot.target, f"at {shot.words}", cost)
            self._cache[key] = known
        return known

    def cost(self, unit: Unit, weapon: Weapon | None = None) -> float:
        """What an attack costs the firer beside points: its hiding place, its nerves, its weapon."""
        position = self.position
        piece, found = position.piece(unit), 0.0
        if unit.hidden:
            found += SECRET * piece.worth
        if position.battle.used(unit):
            found += EXHAUSTION * piece.power * (0.3 if position.last else 1.0)
        if weapon is not None:
            kind = position.battle.kinds[weapon.kind]
            if kind.single_use:
                found += SINGLE * min(1.0, position.turns / 4)
            if kind.blowback and position.battle.in_structure(unit):
                found += BLOWBACK * piece.power
        return found

    # -- all that a unit could do ---------------------------------------------------------------------

    def best(self, unit: Unit, only: Sequence[Unit] | None = None) -> Attack | None:
        """The best attack that a unit could declare now."""
        if only is None and unit.id in self._best:
            return self._best[unit.id]
        battle = self.position.battle
        targets = [foe.unit for foe in self.position.foes] if only is None else list(only)
        leaders = self._persons(unit) if only is None else []
        found = [self.shot(shot) for shot in shots(battle, unit, targets + leaders)]
        best = max(found, key=lambda attack: attack.worth, default=None)
        if best is not None and battle.kinds[unit.kind].sustained_fire and not battle.used(unit):
            best = self.twice(unit, best)
        for attack in self.thrown(unit, targets):
            if best is None or attack.worth > best.worth:
                best = attack
        if only is None:
            self._best[unit.id] = best
        return best

    def _persons(self, unit: Unit) -> list[Unit]:
        """Leaders that a Sniper can pick out of a stack."""
        if not self.position.battle.kinds[unit.kind].sniper:
            return []
        return [u for u in self.position.battle.units(self.position.enemy) if u.attached and not u.hidden]

    def twice(self, unit: Unit, first: Attack, second: Attack | None = None) -> Attack:
        """Sustained Fire: both attacks, and the risk that the gun jams (18)."""
        again = second or first
        worth = self.position.piece(unit).worth
        assert first.target is not None and again.target is not None
        harm = first.harm.plus(again.harm) if again.target is first.target else first.harm
        same = again.target is first.target
        gained = self.gain(first.target, harm) if same else first.worth + again.worth + first.cost
        key = f"sustained {first.key.split()[1]} {again.key.split()[1]}"
        return Attack(gained - first.cost - 2 * JAM * worth * 0.6, harm, first.target, key, first.cost)

    def thrown(self, unit: Unit, targets: Sequence[Unit]) -> list[Attack]:
        """Satchels and mortar shells, at whoever is in the hex."""
        battle = self.position.battle
        found: list[Attack] = []
        if not battle.kinds[unit.kind].squad:
            return found
        for weapon in battle.state.weapons.values():
            if weapon.unit != unit.id:
                continue
            kind = battle.kinds[weapon.kind]
            if kind.mortar or kind.class_ == "satchel":
                found += [
                    self.throw(unit, weapon, hex)
                    for hex in dict.fromkeys(target.hex for target in targets)
                    if support_weapons.bar_throw(battle, unit, weapon, hex, targets) is None
                ]
        return found

    def throw(self, unit: Unit, weapon: Weapon, hex: str) -> Attack:
        """What a satchel or a mortar does to all in a hex; shells may drift (20sc, 20mo)."""
        battle, kind = self.position.battle, self.position.battle.kinds[weapon.kind]
        intensive, hidden = battle.used(unit), unit.hidden
        worth, worst, whom = 0.0, NONE, None
        accurate = 1.0
        if kind.mortar:
            table = battle.charts["mortar_support"]
            add = table["drm_attached_leader"] if combat.combat_leader(battle, unit) else 0
            add += table["drm_shaken_or_moved"] if unit.morale or unit.moved else 0
            accurate = chance_of_one(table["accurate_at_least"], add)
        for target in support_weapons.targets_in(battle, hex):
            type_ = battle.kinds[target.kind]
            if target.hidden and target.side != unit.side:
                continue
            if kind.mortar and type_.armored:
                continue
            if kind.mortar:
                power = support_weapons.mortar_firepower(
                    battle, unit, weapon, hex, hex, ambush=hidden, intensive=intensive
                ).total
                how = "mortar"
            elif target.side == unit.side:
                continue
            else:
                power, how = battle.charts["fixed_fp"]["satchel"], "close"
                if type_.vehicle:
                    power //= 2
            guard = combat.defense_tally(battle, target, how, flank=type_.vehicle and kind.mortar).total
            add = firepower.roll_tally(battle, [unit], target, ambush=hidden, intensive=intensive).total
            harm = self.on(target, max(power, 1) - guard, add).times(accurate)
            worth += self.gain(target, harm)
            if harm.loss >= worst.loss:
                worst, whom = harm, target
        cost = self.cost(unit, weapon)
        verb = "shell" if kind.mortar else "satchel"
        return Attack(worth - cost, worst, whom, f"{verb} {weapon.id} {hex}", cost)

    # -- together ---------------------------------------------------------------------

    def group(self, first: Unit, second: Unit, target: Unit, crew: bool = False) -> Attack:
        """A Fire Group's attack (92)."""
        battle = self.position.battle
        picked = [self._arm(unit, target, crew) for unit in (first, second)]
        group = [Shot(unit, target, arm, crew) for unit, arm in zip((first, second), picked) if arm is not None]
        if len(group) < 2:
            return Attack(-9.0, NONE, target)
        lines = [sight(battle, shot.unit, target) for shot in group]
        ambush = first.hidden and second.hidden
        power = firepower.firepower_tally(battle, group, lines, ambush=ambush).total
        firers = [first.hex, second.hex] if battle.kinds[target.kind].vehicle and not crew else []
        guard = combat.defense_tally(battle, target, "fire", lines, firers=firers, crew=crew).total
        add = firepower.roll_tally(battle, [first, second], target, ambush=ambush).total
        harm = self.on(target, max(power, 1) - guard, add, crew=crew)
        cost = self.cost(first, picked[0].weapon if picked[0] else None)
        cost += self.cost(second, picked[1].weapon if picked[1] else None)
        word = f"{target.id}{':crew' if crew else ''}"
        return Attack(self.gain(target, harm) - cost, harm, target, f"at {word}", cost)

    def _arm(self, unit: Unit, target: Unit, crew: bool) -> Arm | None:
        """What a member of a group fires: the most, but nothing that is gone with it."""
        battle = self.position.battle
        found = group_arms(battle, unit, target, crew)
        return max(found, key=lambda arm: self.arm_power(unit, arm), default=None)

    def arm_power(self, unit: Unit, arm: Arm) -> float:
        """How much an arm brings, less what using it costs."""
        battle = self.position.battle
        power = float(battle.firepower(unit))
        if arm.weapon is not None:
            kind = battle.kinds[arm.weapon.kind]
            power = kind.fp + (power if arm.word.startswith("own+") else 0.0) + kind.he
            power -= 2.0 if kind.single_use else 0.0
        elif arm.kind == "gun":
            power = float(battle.he(unit, arm.gun))
        return power

    # -- in words ---------------------------------------------------------------------

    def reasons(self, attack: Attack, unit: Unit | None = None) -> tuple[Reason, ...]:
        """Why an attack is good or bad."""
        battle = self.position.battle
        if attack.target is None:
            return (Reason("nothing to hit there", attack.worth),)
        name, harm = battle.name(attack.target), attack.harm
        kind = battle.kinds[attack.target.kind]
        parts = []
        if harm.gone >= 0.005:
            parts.append((f"{percent(harm.gone)} to destroy {name}", harm.gone))
        if harm.casualty - harm.gone >= 0.005:
            what = "damage" if kind.vehicle else "reduce"
            parts.append((f"{percent(harm.casualty - harm.gone)} to {what} {name}", harm.casualty - harm.gone))
        if harm.falls >= 0.005:
            parts.append((f"{percent(harm.falls)} to shake or break {name}", harm.falls))
        if not parts:
            parts = [(f"hardly any chance against {name}", 1.0)]
        whole, gained = sum(weight for _, weight in parts), attack.worth + attack.cost
        found = [Reason(text, gained * weight / whole) for text, weight in parts]
        if attack.cost > 0.01 and unit is not None:
            why = Reason("the cost to the firer", -attack.cost)
            if battle.used(unit):
                why = Reason("Intensive Fire leaves it Shaken", -attack.cost)
            elif unit.hidden:
                why = Reason("gives away its position", -attack.cost, secret=True)
            found.append(why)
        return tuple(found)


def clamp(column: int) -> int:
    """A column of the tables."""
    return -5 if column < -5 else 8 if column > 8 else column


def percent(chance: float) -> str:
    """A chance as people say it."""
    return f"{round(100 * chance)} %"
