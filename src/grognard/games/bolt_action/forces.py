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

from msgspec.structs import replace

from grognard.core.files import Document
from grognard.core.read_tables import Count, FilePath, did_you_mean, read_word
from grognard.games.bolt_action.charts import Upgrade, charts
from grognard.games.bolt_action.reading import read_kind
from grognard.games.bolt_action.roster import NATIONS, Mount, UnitType
from grognard.kits.table import forces as kit
from grognard.kits.table.forces import Force, Role

RIFLE = "rifle"


class Order(kit.Line, kw_only=True):
    """A line of a force: so many units of a kind, of a quality, with so many men and these upgrades."""

    quality: str = ""
    men: Count = 0
    upgrades: dict[str, Count] = {}


# ---- what a unit costs ------------------------------------------------------------------------------------


def buy(doc: Document, path: FilePath, order: Order, base: UnitType) -> UnitType:
    """A unit of the roster as it was ordered: quality, men and upgrades, at its price; what cannot be is a fault."""
    if order.quality:
        read_word(doc, (*path, "quality"), "quality", order.quality, charts().quality)
    if not 1 <= order.count <= 20:
        doc.fault((*path, "count"), f"{order.count} of them", "1 to 20")
    found = _of_quality(base, order.quality) if order.quality in charts().quality else base
    if (order.men or order.upgrades) and not base.squad:
        key = "men" if order.men else "upgrades"
        doc.fault(
            (*path, key), f"{base.name} is not an infantry squad", "only squads can have more men and other weapons"
        )
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
        price = charts()["points_men"]
        points = kind.points + (price[quality] - price[kind.quality]) * kind.models
    else:
        share = charts()["points_quality"]
        points = round(kind.points * share[quality] / share[kind.quality])
    special = kind.special - {"green"} if quality != "inexperienced" else kind.special
    return replace(kind, quality=quality, points=points, special=special)


def _of_size(doc: Document, path: FilePath, kind: UnitType, men: int) -> UnitType:
    """More or fewer riflemen than the roster's squad has."""
    least, most = (charts().number("upgrade_limits", key) for key in ("least_men", "most_men"))
    most = max(most, kind.models)
    plain = _plain(kind)
    spare = kind.weapons[plain].count if plain is not None else 0
    least = max(least, kind.models - spare)
    if plain is None or not least <= men <= most:
        doc.fault(path, f"{men} men in a squad of {kind.name}", f"{least} to {most}")
        return kind
    more = men - kind.models
    weapons = _counted(kind.weapons, plain, more)
    return replace(kind, models=men, weapons=weapons, points=kind.points + more * charts()["points_men"][kind.quality])


def _upgraded(doc: Document, path: FilePath, kind: UnitType, name: str, count: int) -> UnitType:
    upgrade = charts().upgrades.get(name)
    if upgrade is None:
        doc.fault(path, f'no upgrade "{name}"', did_you_mean(name, charts().upgrades))
        return kind
    most = upgrade.most or kind.models
    if not 1 <= count <= most:
        doc.fault(path, f"{count} of {upgrade.label} in a squad", f"1 to {most}")
        return kind
    if upgrade.special:
        men = kind.models if upgrade.each_man else 1
        return replace(kind, special=kind.special | {upgrade.special}, points=kind.points + upgrade.points * men)
    if upgrade.weapon == "panzerfaust" and kind.nation != "german":
        doc.fault(path, f"a panzerfaust with a {NATIONS[kind.nation]} squad", "only German squads can have one")
        return kind
    return _armed(doc, path, kind, upgrade, count)


def _armed(doc: Document, path: FilePath, kind: UnitType, upgrade: Upgrade, count: int) -> UnitType:
    weapons = kind.weapons
    if upgrade.replaces:
        plain = _plain(kind)
        needed = count * upgrade.crew
        if plain is None or weapons[plain].weapon != upgrade.replaces or weapons[plain].count < needed:
            have = weapons[plain].count if plain is not None else 0
            doc.fault(path, f"{upgrade.label} for {needed} men, but only {have} carry a rifle", "fewer of these")
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


def read_force(doc: Document) -> Force[UnitType]:
    """A force from its file; all of the file's faults are raised together, those of the platoon among them."""
    force = kit.read_force(
        doc,
        "bolt_action",
        NATIONS,
        Order,
        lambda path, kind: read_kind(doc, path, kind),
        lambda path, order, base: buy(doc, path, order, base),
    )
    check_platoon(doc, force)
    doc.check()
    return force


def check_platoon(doc: Document, force: Force[UnitType]) -> None:
    """Note what does not fit a reinforced platoon, and a price over the limit (28.1)."""
    carried = sum(bought.number for bought in force.units if bought.type.infantry or bought.type.artillery)

    def most_of(role: Role) -> tuple[int, str]:
        if role.id == "transport":
            return carried, ": one for each unit on foot and each gun"
        return role.most, ""

    examples = {"lieutenant": "ger_2lt", "squad": "ger_grenadiers"}
    kit.check_roles(doc, force, charts().platoon, "28.1", most_of, lambda role: examples.get(role.id, role.id))
    kit.check_price(doc, force)


def check_force(doc: Document) -> list[str]:
    """A force file in words, line by line: every unit with its price, the sum and its order dice (1.9)."""
    force = read_force(doc)
    limit = f" of {force.limit}" if force.limit else ""
    total = f"{force.points:5}  points{limit}, {force.size} order dice"
    return [*kit.force_lines(force, NATIONS, describe), total]


def describe(kind: UnitType) -> str:
    """A unit in a line: its name, quality, men and weapons."""
    now = charts()
    weapons = [
        f"{mount.count} {'scoped ' if mount.scope else ''}{now.weapons[mount.weapon].title.lower()}"
        for mount in kind.weapons
        if mount.weapon != RIFLE or mount.scope
    ]
    men = f"{kind.models} men" if kind.models > 1 else ""
    words = [now.quality[kind.quality].title.lower(), men, *weapons]
    return f"{kind.name} ({', '.join(filter(None, words))})"
