"""Positions in a line or two, and short words for playing them: used by the tests of every chapter.

session = position("g1 ger_rifle D4 with=ger_lmg", "a1 us_rifle E4 shaken", dice=(3, 4))
answer(session, "fire g1", ...)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grognard.core.session import Session
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.game import GAME
from grognard.games.ost.roster import roster
from grognard.games.ost.setup import faces
from grognard.games.ost.state import State, Unit
from tests.playing import answer as answer
from tests.playing import happened as happened
from tests.playing import in_situation, to_toml
from tests.playing import keys as keys
from tests.playing import lines as lines
from tests.playing import options as options
from tests.playing import rolled as rolled
from tests.playing import run as run
from tests.playing import tally as tally

FLAGS = {
    "shaken": ("morale", "shaken"),
    "broken": ("morale", "broken"),
    "moved": ("moved", True),
    "fired": ("fired", 1),
    "used": ("fired", 2),
    "assaulted": ("assaulted", True),
    "intensive": ("intensive", True),
    "new_hex": ("new_hex", True),
    "loaded": ("loaded", True),
    "reduced": ("reduced", True),
    "hidden": ("hidden", True),
    "inside": ("inside", True),
    "on_road": ("on_road", True),
    "bogged": ("bogged", True),
    "immobilized": ("immobilized", True),
    "mgs_out": ("mgs_out", True),
    "captured": ("captured", True),
    "unmanned": ("status", "unmanned"),
}


def situation(text: str, dice: Sequence[int] = (), **kept: Any) -> Session:
    """A session in a situation written as TOML, with scripted dice; past the script it asks for faces."""
    return in_situation(GAME, text, dice, **kept)


def position(
    *units: str,
    map: str = "open 10x8",
    terrain: Mapping[str, str] | None = None,
    levels: Mapping[str, str] | None = None,
    hexsides: Mapping[str, str] | None = None,
    roads: Iterable[str] = (),
    buildings: Iterable[str] = (),
    bridges: str = "",
    weapons: Iterable[str] = (),
    works: Iterable[str] = (),
    mines: Iterable[str] = (),
    melees: Iterable[str] = (),
    strikes: Iterable[str] = (),
    control: Mapping[str, str] | None = None,
    dice: Sequence[int] = (),
    seed: bytes | None = None,
    **head: Any,
) -> Session:
    """A session in a position told in words.

    units      "g1 ger_rifle D4 shaken moved fired=2 f=3 attached=g2 aboard=g5 with=ger_lmg,ger_panzerfaust"
               (any field of a situation's unit as key=value; a place "-" for none)
    map        "open 10x8", or the name of a map
    terrain    {"woods": "D4, E5-F6"}, levels {2: "D4"}, hexsides {"hedge": "D4|D5"}, roads ["A5:J5"]
    buildings  "heavy_structure D4-E5 level=2"
    weapons    "w1 ger_lmg D4" lying in a hex
    works      "trench D4", "pillbox D4 facing=3 side=german hidden"
    mines      "D4 german", "D4 german revealed"
    melees     "D4 german" (the initiator), "D4 german turn=6 fought"
    strikes    "german mortars D4"
    control    {"D4": "german", "E5": ""}
    head       every other key of a situation: points={"german": 3}, active="american", turn=2, options={...}
    dice       the faces of the dice to come; or ``seed`` for fair dice
    """
    data: dict[str, Any] = dict(head)
    if map.startswith("open "):
        columns, rows = map.split()[1].split("x")
        sketch: dict[str, Any] = {"columns": int(columns), "rows": int(rows)}
        if terrain:
            sketch["terrain"] = dict(terrain)
        if levels:
            sketch["levels"] = {str(level): hexes for level, hexes in levels.items()}
        if hexsides:
            sketch["hexsides"] = dict(hexsides)
        if roads:
            sketch["road"] = [{"path": path} for path in roads]
        if bridges:
            sketch["bridges"] = bridges
        if buildings:
            sketch["building"] = [_words(text, ("terrain", "hexes")) for text in buildings]
        data["map"] = sketch
    else:
        data["map"] = map
    data["unit"] = [_unit(text) for text in units]
    data["weapon"] = [_words(text, ("id", "kind", "hex")) for text in weapons]
    data["work"] = [_words(text, ("kind", "hex", "side")) for text in works]
    data["mines"] = [_words(text, ("hex", "side")) for text in mines]
    data["melee"] = [_words(text, ("hex", "initiator")) for text in melees]
    data["strike"] = [_words(text, ("side", "kind", "hex")) for text in strikes]
    data["control"] = {hex: {"owner": owner} for hex, owner in (control or {}).items()}
    return in_situation(GAME, to_toml(data), dice, seed)


def _unit(text: str) -> dict[str, Any]:
    id, kind, place, *rest = text.split()
    unit: dict[str, Any] = {"id": id, "kind": kind}
    if place != "-":
        unit["hex"] = place
    for word in rest:
        key, is_, value = word.partition("=")
        if not is_ and word in FLAGS:
            key, unit[FLAGS[word][0]] = FLAGS[word][0], FLAGS[word][1]
        elif key == "with":
            unit["weapons"] = value.split(",")
        elif key == "f":
            unit["facing"] = int(value)
        elif key in ("guns_out", "load"):
            unit[key] = [_value(part) for part in value.split(",")]
        elif is_:
            unit[key] = _value(value)
        else:
            raise ValueError(f"what is {word!r} in {text!r}? flags are {', '.join(FLAGS)}")
    return faced(unit)


def faced(unit: dict[str, Any]) -> dict[str, Any]:
    """A unit's table; what has a facing and was given none looks north."""
    kind = roster().get(unit["kind"])
    if kind is not None and (faces(kind) or kind.kind == "aircraft"):
        unit.setdefault("facing", 1)
    return unit


def _words(text: str, keys: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    plain = []
    for word in text.split():
        key, is_, value = word.partition("=")
        if is_:
            found[key] = _value(value)
        elif word in ("hidden", "revealed", "fought"):
            found[word] = True
        else:
            plain.append(word)
    found.update(zip(keys, plain))
    return found


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else text


# ---- playing ------------------------------------------------------------------------------------------


def state(session: Session) -> State:
    """The state of the battle."""
    found: State = session.state
    return found


def battle(session: Session) -> OstBattle:
    """The battle."""
    assert isinstance(session.battle, OstBattle)
    return session.battle


def unit(session: Session, id: str) -> Unit:
    """A unit of the battle."""
    return state(session).units[id]
