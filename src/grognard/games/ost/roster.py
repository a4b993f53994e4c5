"""The counters: what stands on each unit's front, reverse and data card (9-23, 63)."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from string import ascii_lowercase

import msgspec
from msgspec.structs import force_setattr

from grognard.core.files import Document
from grognard.core.unit_files import read_units, user_units

FOLDER = Path(__file__).parent


class Gun(msgspec.Struct, frozen=True):
    """A main armament: HE, maximum range, and To Hit and AP by range band (63.2)."""

    name: str
    mount: str
    he: int
    range: int
    bands: tuple[tuple[int, int, int, int], ...]

    def band(self, distance: int) -> tuple[int, int, int, int]:
        """The range band of a distance; past the last one its values hold on (49.7)."""
        for band in self.bands:
            if band[0] <= distance <= band[1]:
                return band
        return self.bands[-1] if distance > self.bands[-1][1] else self.bands[0]


class Secondary(msgspec.Struct, frozen=True):
    """A vehicle's machine guns."""

    fp: int = 0
    range: int = 0


class Reverse(msgspec.Struct, frozen=True):
    """The reduced side of a counter."""

    defense: int
    move: int | str
    fp: int = 0
    range: int = 0
    he: int = 0


class UnitType(msgspec.Struct, frozen=True, rename={"class_": "class"}):
    """Everything printed on a counter and its card, and what it is by rule.

    The words a rule uses (foot, soft, armored ...) are attributes, worked out once.
    """

    id: str
    name: str
    nation: str
    kind: str
    provenance: str
    branch: str = ""
    class_: str = ""
    years: tuple[int, int] = (1939, 1945)
    fp: int = 0
    he: int = 0
    range: int = 0
    min_range: int = 0
    defense: int = 0
    move: int | str = 0
    move_type: str = "foot"
    front: int = 0
    flank: int = 0
    reduced: Reverse | None = None
    guns: tuple[Gun, ...] = ()
    bands: tuple[tuple[int, int, int, int], ...] = ()
    secondary: Secondary = Secondary()
    points: int = 0
    points_reduced: int = 0
    command_range: int = 0
    rank: str = ""
    engineer: bool = False
    sustained_fire: bool = False
    asterisk: bool = False
    covered_arc: bool = False
    no_structures: bool = False
    collapse: bool = False
    open_top: bool = False
    armored_transport: bool = False
    soft: bool = False
    no_riders: bool = False
    limited_fire: bool = False
    dual: bool = False
    crew_survival: bool = True
    single_use: bool = False
    engineers_only: bool = False
    at_weapon: bool = False
    blowback: bool = False
    mortar: bool = False
    all_branches: bool = False
    squads: int = 0
    heavy_weapons: int = 0
    given: tuple[str, ...] = ()
    art: tuple[str, ...] = ()

    # what it is by rule, worked out from the above
    squad: bool = False
    crewed: bool = False
    leader: bool = False
    armor_leader: bool = False
    sniper: bool = False
    crew: bool = False
    vehicle: bool = False
    single: bool = False
    foot: bool = False
    armored: bool = False
    truck: bool = False
    transport_only: bool = False
    machine_gun: bool = False
    anti_tank_gun: bool = False
    armed: bool = False
    close_weapon: bool = False
    reach: int = 0

    def __post_init__(self) -> None:
        kind = self.kind
        vehicle = kind == "vehicle"
        for name in ("squad", "crewed", "leader", "armor_leader", "sniper", "crew", "vehicle"):
            force_setattr(self, name, kind == name)
        force_setattr(self, "single", kind in ("leader", "sniper"))
        force_setattr(self, "foot", kind in ("squad", "crewed", "leader", "sniper", "crew"))
        force_setattr(self, "armored", vehicle and not self.soft)
        force_setattr(self, "truck", vehicle and self.soft)
        force_setattr(self, "transport_only", self.move == "T")
        force_setattr(self, "machine_gun", kind == "crewed" and not self.guns)
        force_setattr(self, "anti_tank_gun", kind == "crewed" and bool(self.guns))
        force_setattr(self, "armed", bool(self.guns) or self.secondary.fp > 0)
        force_setattr(self, "close_weapon", self.class_ in ("flamethrower", "grenade_bundle", "molotov", "satchel"))
        force_setattr(self, "reach", max([self.range, self.secondary.range, *[gun.range for gun in self.guns]]))


class LuckCard(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """A Luck card (62): its effect is a kind with figures."""

    id: str
    title: str
    effect: str
    usable_when: str
    vehicle: bool
    effect_kind: str
    oba: str = ""
    accuracy_drm: int = 0
    hexes: int = 0
    within: int = 0
    points: int = 0
    mp: int = 0
    drm: int = 0
    fp: int = 0


@lru_cache(maxsize=4096)
def call(name: str, id: str) -> str:
    """How people call a counter: its name and its id, but not the same word twice.

    >>> call("StuG III G", "g3"), call("Feldwebel", "feldwebel"), call("Opel Blitz truck", "truck2")
    ('StuG III G g3', 'Feldwebel', 'Opel Blitz truck 2')
    """
    word = id.rstrip("0123456789.")
    if "." in id:  # counters made in play: squad1.g
        word = id.rstrip(ascii_lowercase).rstrip("0123456789.") or word
    said = name.lower().replace("(", "").replace(")", "").split()
    return f"{name} {id[len(word) :]}".rstrip() if len(word) > 2 and word.lower() in said else f"{name} {id}"


@cache
def roster() -> dict[str, UnitType]:
    """Every counter by id: ours, with the user's own laid over them."""
    theirs = user_units("ost")
    return read_units(FOLDER, UnitType, Document.read(theirs) if theirs.exists() else None)


@cache
def luck_cards() -> dict[str, LuckCard]:
    """The Luck deck, by id."""
    document = Document.read(FOLDER / "units.toml")
    cards = [
        document.convert(card, LuckCard, "luck", "card", i) for i, card in enumerate(document.data["luck"]["card"])
    ]
    document.check()
    return {card.id: card for card in cards if card is not None}
