"""Formation (7): the chain that holds a unit together, the forms it takes, and how a broken chain is closed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grognard.board.table import bodies, formations, placement
from grognard.board.table.bodies import Body, Place
from grognard.core.ask import Bar
from grognard.core.poses import Form
from grognard.games.bolt_action import weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import GUN, GUNNER, LOADER, MAN, Unit, on_the_ground, party
from grognard.kits.table import cohesion

FORMS = (formations.AS_THEY_STAND, formations.LINE, formations.COLUMN, formations.CLUSTER)

NOT_CHAINED = Bar("7.2", "the models would be out of formation: each must be within 1″ of another in one chain")
OVERLAP = Bar("8.5", "two models would overlap")
FAR_FROM_GUN = Bar("23.1", "crew must stay within 1″ of the gun")


def reach(battle: BoltBattle) -> int:
    """How wide a gap in the chain may be (7.2)."""
    return battle.charts.distance("movement_figures", "formation_gap")


def spacing(battle: BoltBattle) -> int:
    """The gap between neighbours in a form."""
    return battle.charts.distance("movement_figures", "formation_spacing")


def broken(battle: BoltBattle, unit: Unit) -> bool:
    """Whether a unit's chain is broken (7.3)."""
    if not on_the_ground(unit) or len(unit.models) < 2:
        return False
    key = ("broken", unit.id)
    found: bool | None = battle.cache.get(key)
    if found is None:
        known = battle.bodies(unit)
        found = not formations.chained([known[i] for i in party(unit)], reach(battle))
        battle.cache[key] = found
    return found


def links(battle: BoltBattle, unit: Unit) -> dict[str, frozenset[str]]:
    """Who stands within reach of whom in a unit's chain, by ids; without those who need not keep formation (7.2)."""
    known, numbers = battle.bodies(unit), party(unit)
    return cohesion.links([known[i] for i in numbers], [unit.models[i].id for i in numbers], reach(battle))


def bar_layout(battle: BoltBattle, unit: Unit, stand: Sequence[Body], numbers: Sequence[int]) -> Bar | None:
    """Why models may not stand like this: the chain of those that keep formation, and nobody in another's place."""
    kept = set(party(unit))
    chain = [body for body, number in zip(stand, numbers) if number in kept]
    if not formations.clear(list(stand)):
        return OVERLAP
    if not formations.chained(chain, reach(battle)):
        return NOT_CHAINED
    guns = [body for body, number in zip(stand, numbers) if unit.models[number].role == GUN]
    if guns:
        far = battle.charts.distance("movement_figures", "crew_gap")
        if any(bodies.gap(body, guns[0]) > far + bodies.HAIR for body in chain):
            return FAR_FROM_GUN
    return None


def offsets(battle: BoltBattle, unit: Unit, form: str, heading: int) -> list[Place]:
    """Each model's place about the pose, for those that keep formation; the same wherever the pose is."""
    known, numbers = battle.bodies(unit), party(unit)
    beside = pairs(battle, unit, numbers)
    return formations.lay_out(form, [known[i] for i in numbers], 0, 0, heading, spacing(battle), pairs=beside)


def pairs(battle: BoltBattle, unit: Unit, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The gunners of a squad, each with the man who serves his gun, by their places among these numbers (17.4).

    It is a loader as long as there is one, else whoever serves it now, else the man who has least to fire himself.
    """
    if not battle.type(unit).squad:
        return []
    served, models = weapons.serving(battle, unit), unit.models
    guns = [row for row in numbers if models[row].role == GUNNER and weapons.wants_two(battle, unit, models[row])]
    free = {row for row in numbers if models[row].role in (LOADER, MAN)}
    found = []
    for gun in guns:
        at_it = served.get(gun)
        helper = min(
            free,
            key=lambda row: (
                models[row].role != LOADER,
                row != at_it,
                weapons.firepower(battle, unit, models[row]),
                row,
            ),
            default=None,
        )
        if helper is not None:
            free.discard(helper)
            found.append((numbers.index(gun), numbers.index(helper)))
    return found


def forms(battle: BoltBattle, unit: Unit, names: Sequence[str]) -> list[Form]:
    """Forms as a client shows them."""
    found = []
    numbers = party(unit)
    known = [battle.bodies(unit)[i] for i in numbers]
    beside = pairs(battle, unit, numbers)
    for name in names:
        places = formations.lay_out(name, known, 0, 0, 0, spacing(battle), pairs=beside)
        models = [(unit.models[i].id, x, y) for i, (x, y) in zip(numbers, places)]
        found.append(Form(name, placement.TITLES[name], models, formations.turns(name, known)))
    return found


def usual(battle: BoltBattle, unit: Unit) -> list[str]:
    """The forms to choose from: one that stands nowhere, or whose chain is broken, cannot go as it is (7.3)."""
    single = len(party(unit)) == 1
    if single and on_the_ground(unit):
        return [formations.AS_THEY_STAND]
    if not on_the_ground(unit) or broken(battle, unit):
        return [formations.CLUSTER, formations.LINE, formations.COLUMN]
    return list(FORMS)


def close_up(battle: BoltBattle, unit: Unit, can: Callable[[int, Place], bool]) -> list[Place]:
    """Where each model goes to close a broken chain (7.3); ``can`` says whether a model may go to a place."""
    return cohesion.close_up(battle.bodies(unit), party(unit), reach(battle), spacing(battle), can)
