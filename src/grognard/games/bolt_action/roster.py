"""The units of the roster (units.toml): what each is by rule, and the models it takes the field with."""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin
from typing import Any

import msgspec

from grognard.board.table.bodies import Footprint
from grognard.core.files import Document
from grognard.core.unit_files import read_units, user_units
from grognard.games.bolt_action.charts import FOLDER, Weapon, charts
from grognard.games.bolt_action.state import CREW, GUN, GUNNER, HULL, LOADER, MAN, SPOTTER, Model

KINDS = ("hq", "infantry", "team", "artillery", "vehicle")
NATIONS = {"german": "German", "american": "American", "soviet": "Soviet", "british": "British"}
#: The letter that ids of a nation's units begin with.
LETTERS = {"german": "g", "american": "a", "soviet": "s", "british": "b"}

#: What makes a team slow to carry, by the weapon it serves (23.3).
_CARRIED = {
    "mmg": "mmg_hmg_team",
    "hmg": "mmg_hmg_team",
    "medium_mortar": "medium_mortar",
    "heavy_mortar": "heavy_mortar",
}
TANKS = ("light_tank", "medium_tank", "heavy_tank", "super_heavy_tank")
#: Between the middles of men who stand in a line.
SHOULDER = 125


class Mount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon of a unit: how many, who serves it, and on a vehicle or gun where it sits and how far it turns.

    ``extra`` is carried besides the bearer's own weapon; ``alternative`` may be fired instead of the first (17.12);
    ``he`` is another shell than that of the chart.
    """

    weapon: str
    count: int = 1
    crew: int = 1
    extra: bool = False
    mount: str = ""
    arc: int = 360
    scope: bool = False
    alternative: bool = False
    he: str = ""


class UnitType(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit is by rule."""

    id: str
    name: str
    nation: str
    kind: str
    quality: str
    models: int
    footprint: str
    points: int
    provenance: str = ""
    years: tuple[int, int] = (1939, 1945)
    rank: str = ""
    weapons: tuple[Mount, ...] = ()
    damage_class: str = ""
    mobility: str = ""
    transport_capacity: int = 0
    tow: tuple[str, ...] = ()
    special: frozenset[str] = frozenset()

    @property
    def vehicle(self) -> bool:
        """Whether it is a vehicle."""
        return self.kind == "vehicle"

    @property
    def artillery(self) -> bool:
        """Whether it is a gun with its crew (23.1)."""
        return self.kind == "artillery"

    @property
    def infantry(self) -> bool:
        """Whether it counts as infantry: squads, teams and headquarters."""
        return self.kind in ("hq", "infantry", "team")

    @property
    def squad(self) -> bool:
        """Whether it is an infantry squad (28.1)."""
        return self.kind == "infantry"

    @property
    def armoured(self) -> bool:
        """Whether it has armour (14.2)."""
        return self.vehicle and charts().damage_classes[self.damage_class].armoured

    @property
    def soft_skin(self) -> bool:
        """Whether it is a vehicle without armour (14.1)."""
        return self.vehicle and not self.armoured

    @property
    def open_topped(self) -> bool:
        """Whether an armoured vehicle has no roof."""
        return "open_topped" in self.special

    @property
    def enclosed(self) -> bool:
        """Whether it is armoured all over, roof included (6.5)."""
        return self.armoured and not self.open_topped

    @property
    def recce(self) -> bool:
        """Whether it is a reconnaissance vehicle (10.4, 16.9)."""
        return "recce" in self.special

    @property
    def tank(self) -> bool:
        """Whether it has the armour of a tank."""
        return self.damage_class in TANKS

    @property
    def transport(self) -> bool:
        """Whether it carries men or tows guns (24.1)."""
        return self.transport_capacity > 0 or bool(self.tow)

    @property
    def is_team_weapon(self) -> bool:
        """Whether it is a team that serves one weapon."""
        return self.kind == "team" and any(mount.crew > 1 for mount in self.weapons)

    @property
    def weight(self) -> str:
        """The weight class of a gun, "" for anything else (23.3)."""
        return self.mobility if self.artillery else ""

    @property
    def moves_as(self) -> str:
        """The row of the movement chart that it moves by (8.1, 8.2, 10.7, 23.3)."""
        if self.vehicle:
            return "slow_vehicle" if "slow" in self.special else self.mobility
        if self.artillery:
            return self.mobility
        carried = [_CARRIED[mount.weapon] for mount in self.weapons if mount.weapon in _CARRIED]
        return carried[0] if carried and self.kind == "team" else "infantry"

    @property
    def column(self) -> str:
        """The column of the terrain chart that it is judged by (9.1, 9.8)."""
        if self.infantry:
            return "infantry"
        if self.artillery:
            return "artillery"
        return "wheeled" if self.mobility == "wheeled" else "tracked"

    @property
    def main_weapon(self) -> Weapon | None:
        """The weapon that a team or gun is there for, or a vehicle's first."""
        if not self.weapons:
            return None
        served = [mount for mount in self.weapons if mount.crew > 1]
        return charts().weapons[(served or list(self.weapons))[0].weapon]

    @property
    def role(self) -> str:
        """What it counts as in a reinforced platoon (28.1)."""
        if self.rank:
            return "lieutenant" if "lieutenant" in self.rank else "senior"
        for special, role in (("medic", "medic"), ("artillery_observer", "observer"), ("air_observer", "observer")):
            if special in self.special:
                return role
        if self.squad:
            return "squad"
        if self.kind == "team":
            return self._team_role()
        if self.artillery:
            return "gun"
        if self.soft_skin or (self.transport and self.armoured):
            return "transport" if self.transport else "tank"
        return "armoured_car" if self.mobility == "wheeled" else "tank"

    def _team_role(self) -> str:
        weapon = self.main_weapon
        if "sniper" in self.special or weapon is None:
            return "sniper"
        if weapon.flame:
            return "flamethrower"
        if weapon.indirect:
            return "mortar"
        return "machine_gun" if weapon.id in ("mmg", "hmg") else "anti_tank"

    def foot(self, role: str) -> Footprint:
        """The footprint of a model by its role: the gun and the hull have the unit's own, men a man's."""
        prints = charts().footprints
        return prints[self.footprint] if role in (GUN, HULL) else prints["man"]


@cache
def roster() -> dict[str, UnitType]:
    """Every unit of the roster by id: ours, with the user's own laid over them."""
    theirs = user_units("bolt_action")
    return load_units(Document.read(theirs) if theirs.exists() else None)


def load_units(theirs: Document | None) -> dict[str, UnitType]:
    """Our units with those of a user's document laid over them, or all its faults."""
    return read_units(FOLDER, UnitType, theirs, faults)


def faults(kind: UnitType) -> list[str]:
    """What does not fit together in a unit's data."""
    now, wrong = charts(), []
    for word, known, what in (
        (kind.kind, KINDS, "kind"),
        (kind.quality, now.quality, "quality"),
        (kind.footprint, now.footprints, "footprint"),
        (kind.nation, NATIONS, "nation"),
    ):
        if word not in known:
            wrong.append(f'no {what} "{word}"')
    if kind.rank and kind.rank not in now.officers:
        wrong.append(f'no rank "{kind.rank}"')
    wrong += [f'no weapon "{mount.weapon}"' for mount in kind.weapons if mount.weapon not in now.weapons]
    if kind.kind == "vehicle" and (kind.damage_class not in now.damage_classes or kind.mobility not in now.pivots):
        wrong.append("a vehicle needs a damage_class and a mobility of the charts")
    if kind.kind == "artillery" and kind.mobility not in now.rates:
        wrong.append("a gun needs its weight as mobility: gun_light, gun_medium, gun_heavy or gun_superheavy")
    if kind.infantry:
        men = sum(mount.count * mount.crew for mount in kind.weapons if not mount.extra) + ("spotter" in kind.special)
        if kind.weapons and men != kind.models:
            wrong.append(f"{kind.models} models, but weapons for {men}")
    return wrong


def muster(kind: UnitType) -> list[Model]:
    """The models of a fresh unit, in order, with their roles and weapons, not yet placed (7.5).

    Men are m1, m2, …; an officer comes first; a gun is "gun", a vehicle "hull". The second man at a Team weapon has
    a rifle of his own where the unit has rifles, for the day he no longer serves.
    """
    arms = tuple(range(len(kind.weapons)))
    if kind.vehicle:
        return [Model("hull", role=HULL, arms=arms)]
    models: list[Model] = []
    if kind.artillery:
        models.append(Model("gun", role=GUN, arms=arms))
        return models + [Model(f"m{number}", role=CREW) for number in range(1, kind.models + 1)]
    rifle = next((i for i, mount in enumerate(kind.weapons) if mount.weapon == "rifle" and not mount.scope), None)
    for index, mount in enumerate(kind.weapons):
        for _ in range(0 if mount.extra else mount.count):
            serves = mount.crew > 1 or mount.scope
            models.append(Model("", role=GUNNER if serves else MAN, arms=(index,)))
            own = (rifle,) if rifle is not None and kind.kind != "team" else ()
            models += [Model("", role=LOADER, arms=own) for _ in range(mount.crew - 1)]
    if any(mount.scope for mount in kind.weapons) and len(models) > 1:
        models[1].role = LOADER  # the sniper's assistant (13.13)
    if "spotter" in kind.special:
        models.append(Model("", role=SPOTTER))
    models += [Model("") for _ in range(kind.models - len(models))]
    for number, model in enumerate(models, 1):
        model.id = f"m{number}"
    for index, mount in enumerate(kind.weapons):
        if mount.extra:
            bearers = [model for model in models if model.role == MAN][::-1][: mount.count]
            for model in bearers:
                model.arms = (*model.arms, index)
    return models


def size(kind: UnitType) -> int:
    """The size of a fresh unit, the gun not counted (7.5)."""
    return kind.models


def line_up(kind: UnitType, models: list[Model], x: int, y: int, heading: int, ranks: int = 1) -> None:
    """Set models shoulder to shoulder about a point, looking along the heading; a crew stands behind its gun.

    The point is the middle of the front rank, of the gun or of the hull.
    """
    forward = (sin(radians(heading)), -cos(radians(heading)))
    right = (cos(radians(heading)), sin(radians(heading)))

    def put(model: Model, across: float, ahead: float) -> None:
        model.x = round(x + right[0] * across + forward[0] * ahead)
        model.y = round(y + right[1] * across + forward[1] * ahead)
        model.heading = heading % 360

    big = [model for model in models if model.role in (GUN, HULL)]
    men = [model for model in models if model.role not in (GUN, HULL)]
    for model in big:
        put(model, 0, 0)
    behind = (kind.foot(big[0].role).length / 2 + 75) if big else 0
    per = -(-len(men) // ranks)
    for number, model in enumerate(men):
        rank, file = divmod(number, per)
        wide = min(per, len(men) - rank * per)
        put(model, (file - (wide - 1) / 2) * SHOULDER, -behind - rank * SHOULDER)


def call(name: str, id: str) -> str:
    """How people call a unit that is known by its id: "Grenadier squad g3"."""
    return f"{plain(name)} {id}"


def plain(name: str) -> str:
    """A unit's name without how many men it has, which need not be said each time."""
    return name.partition(",")[0]


def in_words(kind: UnitType) -> dict[str, Any]:
    """The weapons of a unit in words: how many of each."""
    now = charts().weapons
    return {now[mount.weapon].title: mount.count for mount in kind.weapons}
