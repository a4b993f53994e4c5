"""Casualties (15, 26.1): who is taken off, who chooses, who takes over a weapon, and the check for heavy losses."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

from grognard.board.table.bodies import HAIR
from grognard.core.ask import Ask, Option, Procedure
from grognard.core.dice import counts, total
from grognard.core.poses import place
from grognard.games.bolt_action import fire_events, formation, morale, pins, special, turn_events, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts, throw_of
from grognard.games.bolt_action.state import CREW, GUN, GUNNER, HULL, LOADER, MAN, SPOTTER, Model, Unit, on_the_ground
from grognard.kits.table import cohesion
from grognard.kits.table.state import ON_TABLE

#: The kind of the question who dies, so that a standing order can have it done the usual way.
REACTION = "casualties"
#: What the owner's usual way is, in words.
USUAL = "The usual way: the man you'll miss least, without breaking formation"
#: So many ways to take men off are looked through where those found one by one tear the unit apart.
_TRIED = 2000


class Toll(NamedTuple):
    """Casualties of one sort: how many the owner picks, how many the shooter (15.3), and from whom.

    ``anywhere`` takes any model of the unit, otherwise only those that a firer sees (15.2); ``small`` were small arms.
    """

    owner: int
    shooter: int
    small: bool = False
    anywhere: bool = False

    @property
    def men(self) -> int:
        """All of them."""
        return self.owner + self.shooter


def tend(battle: BoltBattle, unit: Unit, tolls: Sequence[Toll]) -> list[Toll]:
    """A medic near a unit saves men whom small arms hit: one die each, on a 6 (26.1)."""
    wounded = [toll for toll in tolls if toll.small and toll.men]
    if not wounded or (medic := medic_near(battle, unit)) is None:
        return list(tolls)
    needed = charts().number("medic", "saved_on")
    found: list[Toll] = []
    saved = 0
    for toll in tolls:
        if not toll.small or not toll.men:
            found.append(toll)
            continue
        first = tuple(int(face >= needed) for face in range(1, 7))
        second = tuple(2 * int(face >= needed) for face in range(1, 7))
        sorts = (first,) * toll.owner + (second,) * toll.shooter
        ours, theirs = battle.roll(unit.side, "medic", f"{toll.men}d6", counts(sorts, 2), ("26.1",), unit=unit.id)
        saved += ours + theirs
        found.append(toll._replace(owner=toll.owner - ours, shooter=toll.shooter - theirs))
    if saved:
        battle.emit(fire_events.Tended(side=unit.side, unit=unit.id, medic=medic.id, men=saved, rules=("26.1",)))
    return found


def medic_near(battle: BoltBattle, unit: Unit) -> Unit | None:
    """A medic of its side near an infantry or artillery unit (26.1)."""
    if battle.type(unit).vehicle or unit.status != ON_TABLE:
        return None
    far = charts().distance("medic", "range") + HAIR
    for other in battle.units(unit.side):
        if other.id != unit.id and battle.has(other, "medic") and battle.gap(other, unit) <= far:
            return other
    return None


# ---- choosing ----------------------------------------------------------------------------------------


def take(
    battle: BoltBattle,
    unit: Unit,
    side: str,
    tolls: Sequence[Toll],
    *,
    visible: frozenset[str] | None = None,
    enemy: Unit | None = None,
    rules: tuple[str, ...] = ("15.1",),
) -> Procedure[int]:
    """Take casualties off a unit; how many men it lost.

    The owner picks (15.1), the shooter on exceptional damage (15.3). Nobody is asked where there is no choice.
    """
    dead: list[str] = []
    picked: list[str] = []
    left_over = False
    for toll in sorted(tolls, key=lambda toll: toll.anywhere):
        for count, shooter in ((toll.shooter, True), (toll.owner, False)):
            if not count:
                continue
            may = [
                model
                for model in _men(unit)
                if model.id not in dead and (toll.anywhere or visible is None or model.id in visible)
            ]
            left_over = left_over or count > len(may)
            if count >= len(may):
                chosen = [model.id for model in may]
                picked += chosen if shooter else []
            elif shooter:
                chosen = yield from _shooter_picks(battle, unit, side, may, count, enemy)
                picked += chosen
            else:
                chosen = yield from _owner_picks(battle, unit, may, count, enemy, dead)
            dead += chosen
    if left_over and len(dead) < len(_men(unit)):
        battle.emit(fire_events.DamageLost(side=unit.side, unit=unit.id, rules=("15.2",)))
    if not dead:
        return 0
    fallen = [model for model in unit.models if model.id in dead]
    rules = (*rules, "15.3") if picked else rules
    battle.emit(
        fire_events.Losses(side=unit.side, unit=unit.id, men=len(dead), models=tuple(m.id for m in fallen), rules=rules)
    )
    left = [model for model in _men(unit) if model.id not in dead]
    if all(model.role == SPOTTER for model in left):
        morale.destroy(
            battle, unit, ("15.6",) if battle.type(unit).kind in ("team", "artillery") else ("14.5",), "is wiped out"
        )
        return len(dead)
    unit.models = [model for model in unit.models if model.id not in dead]
    battle.invalidate(unit)
    gunner = next((model for model in fallen if model.role == GUNNER), None)
    if battle.type(unit).kind == "team" and gunner is not None and gunner.id in picked:
        morale.destroy(battle, unit, ("15.6",), "has lost its gunner and is destroyed")
        return len(dead)
    yield from succeed(battle, unit, fallen)
    first_casualty(battle, unit)
    return len(dead)


def _men(unit: Unit) -> list[Model]:
    return [model for model in unit.models if model.role not in (GUN, HULL)]


def _owner_picks(
    battle: BoltBattle, unit: Unit, may: list[Model], count: int, enemy: Unit | None, dead: Sequence[str]
) -> Procedure[list[str]]:
    """The owner picks one after the other, or leaves the rest to the usual way (D9)."""
    chosen: list[str] = []
    left = by_worth(battle, unit, may, enemy)
    while len(chosen) < count:
        more = count - len(chosen)
        options = [
            Option("usual", USUAL, "pass", unit.id, rule="15.1"),
            *(_remove(battle, unit, model, "15.1") for model in left),
        ]
        prompt = f"{battle.name(unit)} loses {more} {'man' if more == 1 else 'men'}: who?"
        answer = yield Ask(unit.side, prompt, options, reaction=REACTION, rule="15.1", meanwhile="usual")
        if answer == "usual":
            return chosen + usual(battle, unit, left, more, enemy, [*dead, *chosen])
        chosen.append(answer.split(".")[-1])
        left = [model for model in left if model.id != chosen[-1]]
    return chosen


def _shooter_picks(
    battle: BoltBattle, unit: Unit, side: str, may: list[Model], count: int, enemy: Unit | None
) -> Procedure[list[str]]:
    """The shooter picks the victims of exceptional damage (15.3, D9)."""
    chosen: list[str] = []
    left = by_worth(battle, unit, may, enemy)[::-1]
    while len(chosen) < count:
        more = count - len(chosen)
        options = [
            Option("usual", "The usual way: the man the enemy will miss most", "pass", target=unit.id, rule="15.3"),
            *(_remove(battle, unit, model, "15.3") for model in left),
        ]
        prompt = f"Exceptional damage on {battle.name(unit)}: who falls?"
        answer = yield Ask(side, prompt, options, reaction=REACTION, rule="15.3", meanwhile="usual")
        if answer == "usual":
            return chosen + [model.id for model in left[:more]]
        chosen.append(answer.split(".")[-1])
        left = [model for model in left if model.id != chosen[-1]]
    return chosen


def _remove(battle: BoltBattle, unit: Unit, model: Model, rule: str) -> Option:
    label = describe(battle, unit, model)
    return Option(f"remove {unit.id}.{model.id}", label, "remove", unit.id, place(model.x, model.y), rule=rule)


def describe(battle: BoltBattle, unit: Unit, model: Model) -> str:
    """A man in words: "rifleman m4", "gunner m9 (light machine gun)"."""
    carried = [battle.weapon(unit, index) for index in model.arms]
    if battle.type(unit).rank and model.id == "m1":
        role = "officer"
    elif [weapon.id for weapon in carried] == ["rifle"] and model.role == MAN:
        return f"rifleman {model.id}"
    else:
        role = {GUNNER: "gunner", LOADER: "loader", CREW: "crewman", SPOTTER: "spotter"}.get(model.role, "man")
    arms = " and ".join(weapon.title.lower() for weapon in carried)
    return f"{role} {model.id}" + (f" ({arms})" if arms else "")


def usual(
    battle: BoltBattle,
    unit: Unit,
    may: Sequence[Model],
    count: int,
    enemy: Unit | None = None,
    dead: Sequence[str] = (),
) -> list[str]:
    """So many men, by id, as they are taken off the usual way: the chain is kept where it can be, then the weapons.

    After these the leader is kept; of those who are missed alike the farthest from the enemy go first (7.2, 15.1).
    ``dead`` are those who fall already.
    """
    ranked = by_worth(battle, unit, may, enemy)
    if count >= len(ranked) or not on_the_ground(unit):
        return [model.id for model in ranked[:count]]
    links = formation.links(battle, unit)

    def harm(gone: Sequence[Model]) -> tuple[int, int]:
        left = [model for model in unit.models if model not in gone and model.id not in dead]
        return cohesion.strays(links, [model.id for model in left]), _guns_idle(battle, unit, left)

    # One by one, each so that the rest hold together best: mostly that is all there is to it.
    chosen: list[Model] = []
    while len(chosen) < count:
        rest = [model for model in ranked if model not in chosen]
        chosen.append(min(rest, key=lambda model: harm([*chosen, model])))
    if harm(chosen)[0] and math.comb(len(ranked), count) <= _TRIED:
        chosen = min(map(list, itertools.combinations(ranked, count)), key=harm)
    return [model.id for model in chosen]


def _guns_idle(battle: BoltBattle, unit: Unit, left: Sequence[Model]) -> int:
    """How many Team weapons of a squad would be lost or without a second man if these were left (17.4)."""
    if not battle.type(unit).squad:
        return 0
    guns = sum(weapons.wants_two(battle, unit, model) for model in unit.models if model.role == GUNNER)
    lost = guns - sum(weapons.wants_two(battle, unit, model) for model in left if model.role == GUNNER)
    return 2 * lost + (guns - lost - len(weapons.serving(battle, unit, left)))


def by_worth(battle: BoltBattle, unit: Unit, may: Sequence[Model], enemy: Unit | None) -> list[Model]:
    """Men by how little they are missed: plain ones first, far from the enemy first."""
    there = battle.bodies(enemy) if enemy is not None and enemy.models else []
    middle = (sum(body.x for body in there) / len(there), sum(body.y for body in there) / len(there)) if there else None

    def order(model: Model) -> tuple[int, float, str]:
        away = math.dist((model.x, model.y), middle) if middle is not None else 0.0
        return _worth(battle, unit, model), -away, model.id

    return sorted(may, key=order)


def _worth(battle: BoltBattle, unit: Unit, model: Model) -> int:
    """How much a man is missed: an officer most, then a gunner, a squad's leader, a loader, who has a better weapon."""
    if battle.type(unit).rank and model.id == "m1":
        return 1000
    role = {GUNNER: 500, SPOTTER: 200, LOADER: 100}.get(model.role, 0)
    if battle.type(unit).squad and model.id == "m1":
        role += 200  # who leads a squad is kept after its weapons
    return role + weapons.firepower(battle, unit, model)


# ---- green men (27.5) --------------------------------------------------------------------------------


def first_casualty(battle: BoltBattle, unit: Unit) -> None:
    """Green men roll when they lose their first man: shaken, nothing, or Regulars from now on (27.5)."""
    if not unit.green or not battle.alive(unit):
        return
    unit.green = False
    rows = charts().green
    result: str = battle.roll(unit.side, "green men", "1d6", rows.reader(), ("27.5",), unit=unit.id)
    battle.emit(turn_events.Greened(side=unit.side, unit=unit.id, result=result, rules=("27.5",)))
    row = rows.named(result).more
    unit.quality = row.get("quality", unit.quality)
    if dice := row.get("pins"):
        shaken: int = battle.roll(unit.side, "pins of green men", throw_of(dice), total(), ("27.5",), unit=unit.id)
        pins.add(battle, unit, shaken, "27.5")
        morale.put_down(battle, unit, "27.5")


# ---- who takes over (15.6, 15.7) ---------------------------------------------------------------------


def succeed(battle: BoltBattle, unit: Unit, fallen: Sequence[Model]) -> Procedure[None]:
    """See to the weapons of the fallen.

    In a squad the weapon goes with its gunner and the loader becomes an ordinary man; for a loader another man near
    the gunner takes over, as the owner likes (15.7, D16). In a team another man becomes gunner (15.6).
    """
    team = battle.type(unit).kind == "team"
    for gunner in [model for model in fallen if model.role == GUNNER]:
        helpers = [model for model in unit.models if model.role == LOADER] or (
            [model for model in unit.models if model.role != SPOTTER] if team else []
        )
        if not helpers:
            continue
        helper = min(helpers, key=lambda model: math.dist((model.x, model.y), (gunner.x, gunner.y)))
        if team:
            helper.role, helper.arms, helper.heading = GUNNER, gunner.arms, gunner.heading
        else:
            helper.role = MAN
        rule = "15.6" if team else "15.7"
        battle.emit(
            fire_events.TakesOver(
                side=unit.side,
                unit=unit.id,
                model=helper.id,
                role=helper.role,
                weapon=_served(battle, unit, gunner),
                rules=(rule,),
            )
        )
    if team or not any(model.role == LOADER for model in fallen):
        return
    for gunner in [model for model in unit.models if model.role == GUNNER]:
        yield from _find_loader(battle, unit, gunner)


def _find_loader(battle: BoltBattle, unit: Unit, gunner: Model) -> Procedure[None]:
    """Another man within 1 in of a gunner without a loader takes the place (15.7, D16)."""
    if not any(battle.weapon(unit, index).team for index in gunner.arms):
        return
    near = [model for model in unit.models if weapons.beside(battle, unit, gunner, model)]
    if any(model.role == LOADER for model in near):
        return
    may = by_worth(battle, unit, [model for model in near if model.role == MAN], None)
    if not may:
        return
    loader = may[0]
    if len(may) > 1:
        options = [
            Option(f"loader {unit.id}.{model.id}", describe(battle, unit, model), "loader", unit.id) for model in may
        ]
        prompt = f"{battle.name(unit)}: which man becomes the loader?"
        answer = yield Ask(unit.side, prompt, options, rule="15.7", meanwhile=options[0].key)
        loader = next(model for model in may if model.id == answer.split(".")[-1])
    loader.role = LOADER
    served = _served(battle, unit, gunner)
    battle.emit(
        fire_events.TakesOver(
            side=unit.side, unit=unit.id, model=loader.id, role=LOADER, weapon=served, rules=("15.7",)
        )
    )


def _served(battle: BoltBattle, unit: Unit, gunner: Model) -> str:
    """The weapon that a gunner has."""
    return battle.weapon(unit, gunner.arms[0]).title.lower() if gunner.arms else "weapon"


# ---- the check for losses (15.5) ---------------------------------------------------------------------


def must_check(battle: BoltBattle, unit: Unit, before: int, lost: int) -> bool:
    """Whether losses in one attack call for a morale check: half of the men or more, but not all (15.5, B27)."""
    if battle.type(unit).vehicle or not lost or not battle.alive(unit) or special.never_checks_losses(battle, unit):
        return False
    return lost >= before * float(charts()["morale"]["fraction_lost"])
