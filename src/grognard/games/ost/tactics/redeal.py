"""What may well be hidden: enemies, mines and cards put back into a battle in thought (27.1, 62.3, 73.2).

Only what everybody may know is used: the order of battle says what there is, the board what has shown itself.
"""

from __future__ import annotations

from random import Random

from grognard.games.ost import setup
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.leaders import bar_kind
from grognard.games.ost.roster import luck_cards
from grognard.games.ost.scenario import Placing
from grognard.games.ost.state import Mines, Unit, Weapon
from grognard.games.ost.tactics.knowledge import Knowledge
from grognard.games.ost.view import UNKNOWN

#: Of how many places drawn at random a hidden unit takes the best.
DRAWN = 5


def redeal(know: Knowledge, battle: OstBattle, side: str, rng: Random) -> None:
    """Put back what the enemy of a side may have hidden, and give him cards."""
    enemy = battle.other(side)
    if setup.finished(battle, enemy):
        placed = _units(know, battle, enemy, rng)
        _weapons(battle, enemy, placed, rng)
        _mines(know, battle, enemy, rng)
    _cards(battle, side, rng)


def _units(know: Knowledge, battle: OstBattle, enemy: str, rng: Random) -> list[Unit]:
    """The units of the order of battle that nobody has seen: each in a place that suits it."""
    missing = [p for p in battle.scenario.units if p.side == enemy and p.id not in battle.state.units]
    placed: list[Unit] = []
    for placing in missing:
        if placing.attached or placing.aboard or battle.kinds[placing.kind].leader:
            continue
        unit = _made(battle, placing)
        hex = _suits(know, battle, unit, placing, rng)
        if hex:
            _put(know, battle, unit, hex)
            placed.append(unit)
    for placing in missing:
        if placing.id in battle.state.units:
            continue
        unit = _made(battle, placing)
        lead = battle.state.units.get(placing.attached or placing.aboard)
        if lead is None or not lead.hidden:
            fit = [u for u in placed if battle.leader(u) is None and bar_kind(battle, unit, u) is None]
            lead = rng.choice(fit) if fit else None
        if lead is not None and not placing.aboard and battle.kinds[placing.kind].leader:
            unit.attached = lead.id
        elif lead is not None:
            unit.attached, unit.aboard = placing.attached, placing.aboard
        hex = lead.hex if lead is not None else _suits(know, battle, unit, placing, rng)
        if hex:
            _put(know, battle, unit, hex)
            placed.append(unit)
    return placed


def _made(battle: OstBattle, placing: Placing) -> Unit:
    return Unit(placing.id, placing.n, placing.kind, placing.side, reduced=placing.reduced, facing=placing.facing or 1)


def _put(know: Knowledge, battle: OstBattle, unit: Unit, hex: str) -> None:
    battle.state.units[unit.id] = unit
    unit.hidden = True
    battle.place(unit, hex)
    if setup.faces(battle.kinds[unit.kind]):
        unit.facing = max(range(1, 7), key=lambda way: know.approaches.ahead(battle, unit.side, hex, way))


def _suits(know: Knowledge, battle: OstBattle, unit: Unit, placing: Placing, rng: Random) -> str:
    """The best of a few places drawn at random: cover, and the other side's ways under fire."""
    if placing.at:
        return placing.at if not battle.seen_enemies(placing.at, unit.side) else ""
    kind = battle.kinds[unit.kind]
    best, most = "", -99.0
    for hex in rng.sample(placing.zone, min(len(placing.zone), 4 * DRAWN)):
        if battle.at.get(hex) or hex in battle.state.melees or setup.bar_place(battle, unit, hex) is not None:
            continue
        field = know.approaches.field(battle, unit.side, hex, max(kind.reach, 1))
        post = max((1.0 - 0.1 * battle.grid.dist[hex][goal] for goal in battle.state.control), default=0.0)
        worth = 2 * field + 0.3 * know.land.shelter(battle, unit.side, hex, kind.foot) + post + rng.random()
        if worth > most:
            best, most = hex, worth
    return best


def _weapons(battle: OstBattle, enemy: str, placed: list[Unit], rng: Random) -> None:
    """Support weapons that nobody has seen are with squads that nobody has seen."""
    squads = [unit for unit in placed if battle.kinds[unit.kind].squad]
    for given in battle.scenario.weapons:
        if given.side == enemy and given.id not in battle.state.weapons and squads:
            fixed = given.unit if given.unit in battle.state.units else ""
            free = [unit for unit in squads if not battle.weapons(unit)] or squads
            battle.state.weapons[given.id] = Weapon(given.id, given.kind, fixed or rng.choice(free).id)


def _mines(know: Knowledge, battle: OstBattle, enemy: str, rng: Random) -> None:
    """Mines that were not found yet lie on the ways that matter."""
    state = battle.state
    known = sum(1 for mines in state.mines.values() if mines.side == enemy)
    ways = know.approaches.approach(battle, enemy)
    for setup_ in [mines for mines in battle.scenario.mines if mines.side == enemy][known:]:
        zone = [setup_.at] if setup_.at else [hex for hex in setup_.zone if hex not in battle.at]
        zone = [hex for hex in zone if hex not in state.mines]
        if zone:
            hex = rng.choices(zone, [0.05 + ways.get(each, 0.0) for each in zone])[0]
            state.mines[hex] = Mines(enemy)


def _cards(battle: OstBattle, side: str, rng: Random) -> None:
    """The enemy's cards are any that one has neither seen played nor holds."""
    state, enemy = battle.state, battle.other(side)
    hand = state.cards.get(enemy, [])
    gone = {*state.cards.get(side, ()), *state.played}
    deck = [
        c.id for c in luck_cards().values() if c.id not in gone and (battle.options.vehicle_luck_cards or not c.vehicle)
    ]
    rng.shuffle(deck)
    state.cards[enemy] = [deck.pop() if card == UNKNOWN and deck else card for card in hand]
