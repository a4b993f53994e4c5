"""Forces: units bought with points, with their upgrades, and the limits of the reinforced platoon (28.1).

A force file is TOML::

    game = "bolt_action"
    title = "Grenadiers, Normandy"
    nation = "german"
    year = 1944
    points = 1000           # what the force may cost
    [[unit]]
    kind = "ger_grenadiers" # of units.toml
    count = 2
    quality = "veteran"
    men = 9
    upgrades = { smg = 2, panzerfaust = 1 }
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from grognard.core.files import Document
from grognard.core.records import Place, did_you_mean, each_record, read_record, read_word
from grognard.games.bolt_action.figures import Upgrade, figures
from grognard.games.bolt_action.reading import read_kind
from grognard.games.bolt_action.roster import NATIONS, Mount, UnitType

FIRST_YEAR, LAST_YEAR = 1939, 1945
RIFLE = "rifle"


class Order(msgspec.Struct, kw_only=True):
    """A line of a force: so many units of a kind, of a quality, with so many men and these upgrades."""

    kind: str
    count: int = 1
    quality: str = ""
    men: int = 0
    upgrades: dict[str, int] = {}


class Bought(NamedTuple):
    """Units of a force: where they stand in the file, what they are and how many."""

    path: Place
    type: UnitType
    number: int


class Force(NamedTuple):
    """A force as it was read."""

    title: str
    nation: str
    year: int
    limit: int
    units: list[Bought]

    @property
    def points(self) -> int:
        """What it costs."""
        return sum(bought.type.points * bought.number for bought in self.units)

    @property
    def dice(self) -> int:
        """How many order dice it brings (1.9)."""
        return sum(bought.number for bought in self.units)


class _Head(msgspec.Struct, kw_only=True):
    title: str
    nation: str
    unit: Any
    game: str = "bolt_action"
    name: str = ""
    year: int = 1944
    points: int = 0
    notes: str = ""


# ---- what a unit costs ------------------------------------------------------------------------------------


def buy(doc: Document, path: Place, order: Order, base: UnitType) -> UnitType:
    """A unit of the roster as it was ordered: quality, men and upgrades, at its price; what cannot be is a fault."""
    if order.quality:
        read_word(doc, (*path, "quality"), "quality", order.quality, figures().quality)
    if not 1 <= order.count <= 20:
        doc.fault((*path, "count"), f"{order.count} of them", "1 to 20")
    found = _of_quality(base, order.quality) if order.quality in figures().quality else base
    if (order.men or order.upgrades) and not base.squad:
        key = "men" if order.men else "upgrades"
        doc.fault((*path, key), f"{base.name} is no infantry squad", "only squads get more men and other weapons")
        return found
    if order.men:
        found = _of_size(doc, (*path, "men"), found, order.men)
    for name, count in order.upgrades.items():
        found = _upgraded(doc, (*path, "upgrades", name), found, name, count)
    if found is not base:
        found = replace(found, id=_id(base, order))
    return found


def _id(base: UnitType, order: Order) -> str:
    words = [base.id, order.quality[:1], f"m{order.men}" if order.men else ""]
    words += [f"{name}{count}" for name, count in sorted(order.upgrades.items())]
    return ".".join(filter(None, words))


def _of_quality(kind: UnitType, quality: str) -> UnitType:
    """Squads cost more or less by the man, everything else by a share of its price."""
    if quality == kind.quality:
        return kind
    if kind.squad:
        price = figures()["points_men"]
        points = kind.points + (price[quality] - price[kind.quality]) * kind.models
    else:
        share = figures()["points_quality"]
        points = round(kind.points * share[quality] / share[kind.quality])
    special = kind.special - {"green"} if quality != "inexperienced" else kind.special
    return replace(kind, quality=quality, points=points, special=special)


def _of_size(doc: Document, path: Place, kind: UnitType, men: int) -> UnitType:
    """More or fewer riflemen than the roster's squad has."""
    least, most = (figures().number("upgrade_limits", key) for key in ("least_men", "most_men"))
    most = max(most, kind.models)
    plain = _plain(kind)
    spare = kind.weapons[plain].count if plain is not None else 0
    least = max(least, kind.models - spare)
    if plain is None or not least <= men <= most:
        doc.fault(path, f"{men} men in a squad of {kind.name}", f"{least} to {most}")
        return kind
    more = men - kind.models
    weapons = _counted(kind.weapons, plain, more)
    return replace(kind, models=men, weapons=weapons, points=kind.points + more * figures()["points_men"][kind.quality])


def _upgraded(doc: Document, path: Place, kind: UnitType, name: str, count: int) -> UnitType:
    upgrade = figures().upgrades.get(name)
    if upgrade is None:
        doc.fault(path, f'no upgrade "{name}"', did_you_mean(name, figures().upgrades))
        return kind
    most = upgrade.most or kind.models
    if not 1 <= count <= most:
        doc.fault(path, f"{count} of {upgrade.label} in a squad", f"1 to {most}")
        return kind
    if upgrade.special:
        men = kind.models if upgrade.each_man else 1
        return replace(kind, special=kind.special | {upgrade.special}, points=kind.points + upgrade.points * men)
    if upgrade.weapon == "panzerfaust" and kind.nation != "german":
        doc.fault(path, f"a panzerfaust with a {NATIONS[kind.nation]} squad", "only German squads have them")
        return kind
    return _armed(doc, path, kind, upgrade, count)


def _armed(doc: Document, path: Place, kind: UnitType, upgrade: Upgrade, count: int) -> UnitType:
    weapons = kind.weapons
    if upgrade.replaces:
        plain = _plain(kind)
        needed = count * upgrade.crew
        if plain is None or weapons[plain].weapon != upgrade.replaces or weapons[plain].count < needed:
            have = weapons[plain].count if plain is not None else 0
            doc.fault(path, f"{upgrade.label} for {needed} men, but only {have} carry a rifle", "fewer of them")
            return kind
        weapons = _counted(weapons, plain, -needed)
    old = next((i for i, mount in enumerate(weapons) if mount.weapon == upgrade.weapon), None)
    if old is not None:
        weapons = _counted(weapons, old, count)
    else:
        weapons = (*weapons, Mount(upgrade.weapon, count, upgrade.crew, extra=not upgrade.replaces))
    return replace(kind, weapons=weapons, points=kind.points + upgrade.points * count)


def _plain(kind: UnitType) -> int | None:
    """The weapon that most men carry and that can be given up: rifles, or else what most have."""
    carried = [(i, m) for i, m in enumerate(kind.weapons) if not m.extra and m.crew == 1]
    rifles = [i for i, mount in carried if mount.weapon == RIFLE]
    if rifles:
        return rifles[0]
    return max(carried, key=lambda found: found[1].count)[0] if carried else None


def _counted(weapons: tuple[Mount, ...], index: int, more: int) -> tuple[Mount, ...]:
    changed = [replace(m, count=m.count + more) if i == index else m for i, m in enumerate(weapons)]
    return tuple(mount for mount in changed if mount.count > 0)


# ---- force files -----------------------------------------------------------------------------------------


def read_force(doc: Document) -> Force:
    """A force from its file; all of the file's faults are raised together, those of the platoon among them."""
    head = read_record(doc, (), doc.data, _Head, {"title": "", "nation": "", "unit": []})
    if head is None:
        doc.check()
        raise AssertionError("a faulty head has faults")
    if head.game != "bolt_action":
        doc.fault("game", f'a force of "{head.game}"', 'game = "bolt_action"')
    if "nation" in doc.data:
        read_word(doc, ("nation",), "nation", head.nation, NATIONS)
    if not FIRST_YEAR <= head.year <= LAST_YEAR:
        doc.fault("year", f"the year {head.year}", f"{FIRST_YEAR} to {LAST_YEAR}")
    units: list[Bought] = []
    for path, item in each_record(doc, ("unit",), head.unit):
        order = read_record(doc, path, item, Order)
        base = read_kind(doc, (*path, "kind"), order.kind) if order else None
        if order is None or base is None:
            continue
        if head.nation in NATIONS and base.nation != head.nation:
            wrong = f"{base.name} is {NATIONS[base.nation]}"
            doc.fault((*path, "kind"), wrong, f"a unit that is {NATIONS[head.nation]}")
        first, last = base.years
        if FIRST_YEAR <= head.year <= LAST_YEAR and not first <= head.year <= last:
            doc.fault((*path, "kind"), f"{base.name} in {head.year}", f"it served from {first} to {last}")
        units.append(Bought(path, buy(doc, path, order, base), order.count))
    force = Force(head.title, head.nation, head.year, head.points, units)
    check_platoon(doc, force)
    doc.check()
    return force


def check_platoon(doc: Document, force: Force) -> None:
    """Note what does not fit a reinforced platoon, and a price over the limit (28.1)."""
    roles: Counter[str] = Counter()
    allowed = figures().platoon
    carried = sum(b.number for b in force.units if b.type.infantry or b.type.artillery)
    for bought in force.units:
        role = allowed[bought.type.role]
        before, roles[role.id] = roles[role.id], roles[role.id] + bought.number
        most = carried if role.id == "transport" else role.most
        if before <= most < roles[role.id]:
            right = f"at most {most} (28.1)" + (
                ": one for each unit on foot and each gun" if role.id == "transport" else ""
            )
            doc.fault((*bought.path, "kind"), f"{roles[role.id]} of the role {role.label}", right)
    for role in allowed.values():
        if roles[role.id] < role.least:
            kinds = "one such as " if role.least == 1 else f"{role.least} such as "
            example = {"lieutenant": "ger_2lt", "squad": "ger_grenadiers"}.get(role.id, role.id)
            doc.fault("unit", f"{roles[role.id]} of the role {role.label}", f"{kinds}{example} (28.1)")
    if force.limit and force.points > force.limit:
        over = force.points - force.limit
        doc.fault("points", f"the force costs {force.points} points", f"{force.limit} or less: {over} too many")


def check_force(doc: Document) -> list[str]:
    """A force file in words, line by line: every unit with its price, the sum and its order dice."""
    force = read_force(doc)
    found = [f"{force.title} ({NATIONS[force.nation]}, {force.year})"]
    for bought in force.units:
        many = f"{bought.number} x " if bought.number > 1 else ""
        found.append(f"{bought.type.points * bought.number:5}  {many}{describe(bought.type)}")
    limit = f" of {force.limit}" if force.limit else ""
    found.append(f"{force.points:5}  points{limit}, {force.dice} order dice")
    return found


def describe(kind: UnitType) -> str:
    """A unit in a line: its name, quality, men and weapons."""
    now = figures()
    weapons = [
        f"{mount.count} {'scoped ' if mount.scope else ''}{now.weapons[mount.weapon].title.lower()}"
        for mount in kind.weapons
        if mount.weapon != RIFLE or mount.scope
    ]
    men = f"{kind.models} men" if kind.models > 1 else ""
    words = [now.quality[kind.quality].title.lower(), men, *weapons]
    return f"{kind.name} ({', '.join(filter(None, words))})"
