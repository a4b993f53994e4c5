"""Setting up: cover and fields of fire for those who wait, short ways for those who come (64)."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Ask, Option
from grognard.core.tactics import Reason
from grognard.games.ost.roster import UnitType
from grognard.games.ost.state import Unit
from grognard.games.ost.tactics.impulse import Commander
from grognard.games.ost.tactics.shots import percent
from grognard.kits.hex.tactics.choices import Choice, also, because

#: What counts how much for a unit that is set up.
COVER, FIELD, POST, AWAY, CROWD, MARCH = 0.35, 2.2, 2.0, 0.16, 0.7, 1.0
#: What all of a unit counts that enemies could fire at from where they are known to stand: nobody waits for the first
#: turn in their sights to save himself a Move or two.
RISK = 3.0


class Placing:
    """One side's view of the ground while it sets up."""

    def __init__(self, commander: Commander) -> None:
        self.commander, self.position = commander, commander.position
        self.battle, self.side = commander.battle, commander.position.side
        self.approaches = commander.approaches
        victory_values, control = self.position.know.victory_values, self.battle.state.control
        self.own: dict[str, float] = {}
        wanted = 0.0
        for goal in victory_values.goals(self.battle):
            worth = sum(goal.worth.values())
            if control.get(goal.hex) == self.side:
                self.own[goal.hex] = worth
            else:
                wanted += worth
        wanted += sum(3 * worth for _, _, worth in victory_values.exit_points[self.side])
        held = sum(self.own.values())
        enemy_exits = sum(3 * worth for _, _, worth in victory_values.exit_points[self.battle.other(self.side)])
        #: How far the side defends, from 0 to 1.
        self.defends = (held + enemy_exits) / (wanted + held + enemy_exits) if wanted + held + enemy_exits else 0.5
        self.most = max(self.own.values(), default=1.0)

    def weigh(self, unit: Unit, hex: str, how: str = "") -> list[Reason]:
        """What it is worth to have a unit in a hex when the battle begins: everything that counts, one by one."""
        battle, position = self.battle, self.position
        kind = battle.kinds[unit.kind]
        foot = kind.foot
        cover = position.shelter(hex, self.side, foot and how != "road")
        if how == "inside":
            cover += 1
        elif battle.state.works.get(hex) is not None and battle.state.works[hex].kind in ("bunker", "pillbox"):
            cover -= 2
        found = [Reason(f"{cover:+} cover", COVER * cover * (0.3 + 0.7 * self.defends))]
        if kind.truck or kind.leader:
            field = self.approaches.field(battle, self.side, hex, 12)
            found.append(Reason(f"in view from {percent(field)} of the enemy's routes", -0.5 * field))
            return found
        risk = position.danger(hex, kind.defense + cover) if foot else position.armor_danger(unit, hex)
        if risk[0]:
            found.append(Reason(f"{percent(risk[0])} risk of losing it to enemies in sight", -RISK * risk[0]))
        march = self.approaches.wanted(battle, self.side, kind.move_type, hex) / max(2 * _move(kind), 2)
        found.append(Reason(f"{march:.1f} Moves from the objectives", -(1 - self.defends) * MARCH * march))
        if self.defends > 0.05:
            reach = max(kind.reach, 1)
            field = self.approaches.field(battle, self.side, hex, reach)
            found.append(
                Reason(f"covers {percent(field)} of the enemy's routes", self.defends * FIELD * field * _fire(kind))
            )
            if self.own:
                found.append(Reason("on or near a place its side holds", self.defends * self._post(kind, hex, reach)))
        if here := position.friends(hex):
            found.append(Reason(f"{here} more in the hex", -CROWD * here * (0.25 + 0.75 * self.defends)))
        if near := min(sum(1 for u in position.mine if 0 < position.dist[hex][u.hex] <= 3), 3):
            found.append(Reason("friends nearby", (0.06 if self.defends > 0.5 else 0.12) * near))
        return found

    def _post(self, kind: UnitType, hex: str, reach: int) -> float:
        """What a hex is worth for holding what the side owns: on it, or near it with it under fire."""
        best = 0.0
        here = self.position.dist[hex]
        for goal, worth in self.own.items():
            share, distance = worth / self.most, here[goal]
            if distance == 0:
                held = self.position.friends(goal)
                found = POST * share * (1.0 if not held else 0.4) * (0.6 if kind.crewed and kind.guns else 1.0)
            else:
                seen = goal in self.approaches.seen_from(hex) and distance <= reach
                found = share * ((0.5 if seen else 0.2) - AWAY * min(distance, 10) * (0.5 if kind.reach > 8 else 1.0))
            best = found if best == 0.0 else max(best, found)
        return best

    def obstacle(self, kind: str, hex: str) -> float:
        """What wire, mines or a roadblock in a hex is worth: on the enemy's way, before one's own posts."""
        approach = self.approaches.approach(self.battle, self.side)
        weight = approach.get(hex, 0.0) / (max(approach.values(), default=1.0) or 1.0)
        nearest = min((self.position.dist[hex][goal] for goal in self.own), default=4)
        band = {0: -1.0, 1: 0.6, 2: 1.0, 3: 0.9, 4: 0.7}.get(nearest, 0.4)
        taken = -2.0 if self.battle.at.get(hex) or hex in self.battle.state.works else 0.0
        road = 0.4 if kind in ("roadblock", "mines") and self.battle.field.roads[hex] else 0.0
        watched = sum(1 for unit in self.position.mine if self.position.dist[hex][unit.hex] <= 6)
        return weight * (band + road) + taken + 0.03 * watched

    def earthwork(self, kind: str, hex: str) -> float:
        """What foxholes, a trench or a bunker in a hex is worth: a post with a field of fire and little cover."""
        ground = self.battle.terrain(hex)
        field = self.approaches.field(self.battle, self.side, hex, 8)
        post = max(
            (
                worth
                / self.most
                * (1.0 if self.position.dist[hex][goal] == 0 else 0.8 - 0.15 * self.position.dist[hex][goal])
                for goal, worth in self.own.items()
            ),
            default=0.0,
        )
        return FIELD * field + post + 0.12 * ground.defense


def _move(kind: UnitType) -> int:
    return 1 if kind.move == "T" else int(kind.move)


def _fire(kind: UnitType) -> float:
    """How much a unit makes of a field of fire."""
    if kind.guns or kind.machine_gun:
        return 1.3
    return 1.0 if kind.fp else 0.3


def place_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Where a unit, a work, mines or an aircraft is set up."""
    placing, battle = Placing(commander), commander.battle
    for option in ask.options:
        hex, worth = option.place, 0.0
        words = option.key.split()
        if option.unit:
            unit = battle.unit(option.unit)
            kind = battle.kinds[unit.kind]
            if kind.kind == "aircraft":
                worth = _flight(placing, unit, hex)
                yield Choice(worth, option.key, because("drops near the objectives", worth))
                continue
            reasons = placing.weigh(unit, hex, words[3] if len(words) > 3 else "")
            yield Choice(sum(reason.worth for reason in reasons), option.key, also(None, *reasons))
        elif words[1] in ("mines", "wire", "roadblock"):
            worth = placing.obstacle(words[1], hex)
            yield Choice(worth, option.key, because("in the enemy's way", worth))
        else:
            worth = placing.earthwork(words[1], hex)
            yield Choice(worth, option.key, because("a good field of fire", worth))


def _flight(placing: Placing, plane: Unit, hex: str) -> float:
    """How near an aircraft's drop comes down to what counts, three hexes on (84.6)."""
    battle = placing.battle
    place = battle.grid.line_off(hex, plane.facing or 1, 2) or hex
    victory_values = placing.position.know.victory_values.goals(battle)
    found = 0.0
    for goal in victory_values:
        found -= sum(goal.worth.values()) * battle.grid.dist[place][goal.hex] * 0.02
    wet = battle.terrain(place).name in ("river", "stream")
    return found - (1.0 if wet else 0.0)


def hide_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """What may hide, hides."""
    for option in ask.options:
        worth = 1.0 if option.verb == "hide" else 0.0
        why = because("unknown to the enemy, and its first shot is an ambush", worth, secret=True)
        yield Choice(worth, option.key, why)


def give_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Who carries a weapon: one each, machine guns to the strong, satchels and flamethrowers to engineers."""
    battle = commander.battle
    for option in ask.options:
        weapon = battle.state.weapons[option.key.split()[1]]
        unit = battle.unit(option.unit)
        kind, type_ = battle.kinds[unit.kind], battle.kinds[weapon.kind]
        worth = 0.2 * kind.fp + (0.3 if not unit.reduced else 0.0) - 3.0 * len(battle.weapons(unit))
        if type_.close_weapon:
            worth += 2.0 if kind.engineer else -1.0 if type_.engineers_only else 0.0
        elif kind.engineer:
            worth -= 1.0
        if type_.range > 6 and kind.range < 5:
            worth -= 0.3
        if type_.mortar:
            worth -= 0.3 * kind.fp
        yield Choice(worth, option.key, because(f"{battle.name(unit)} uses it best", worth))


def order_choices(ask: Ask) -> Iterator[Choice]:
    """The order of a drop: as it was loaded."""
    for number, option in enumerate(ask.options):
        yield Choice(-0.01 * number, option.key, because("in loading order", 0.0))


def drop_choices(ask: Ask) -> Iterator[Choice]:
    """Which aircraft drops first."""
    for number, option in enumerate(ask.options):
        yield Choice(-0.01 * number, option.key, because("one after the other", 0.0))


def land_choices(commander: Commander, ask: Ask) -> Iterator[Choice]:
    """Where a parachutist comes down beside the hex that he cannot land in."""
    position, battle = commander.position, commander.battle
    for option in ask.options:
        unit = battle.unit(option.unit)
        kind = battle.kinds[unit.kind]
        risk = position.danger(option.place, kind.defense)[0]
        far = commander.approaches.wanted(battle, unit.side, "foot", option.place)
        worth = -2.0 * risk - 0.03 * far
        yield Choice(worth, option.key, because("away from the enemy's rifles", worth))


def plain(options: list[Option]) -> Iterator[Choice]:
    """OptionalRules that nothing tells apart: the first."""
    for number, option in enumerate(options):
        yield Choice(-0.01 * number, option.key)
