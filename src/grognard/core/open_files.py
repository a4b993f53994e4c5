"""Opening what somebody names: a scenario, a situation, a random battle, a save, a map, charts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from grognard.core import registry, resuming
from grognard.core.errors import Fault, GrognardError, MalformedError, VersionError
from grognard.core.files import MOST_WRITTEN, Document, read_bounded
from grognard.core.game import Game
from grognard.core.random_battles import RANDOM, SEED
from grognard.core.saves import Save, read_save
from grognard.core.session import Session
from grognard.core.words import unknown

JSON = (".json", ".geojson", ".save")
SAVED = "grognard save"


# ---- games -------------------------------------------------------------------------------------------


def find_game(name: str) -> Game:
    """The game of a name."""
    if name not in registry.names():
        raise unknown("game", name, registry.names())
    return registry.game(name)


def find_games(only: str = "") -> list[Game]:
    """All games, or the one that is wanted."""
    return [find_game(name) for name in ([only] if only else registry.names())]


def game_of(document: Document, kind: str, only: str = "") -> Game:
    """The game that a document is of: the one it names, the one that is wanted, or the only one that can read it."""
    data = document.data if isinstance(document.data, dict) else {}
    named = data.get("game", only)
    if "game" not in data and not only and (found := _reader_of(document, kind)):
        return found
    if not isinstance(named, str) or named not in registry.names():
        known = " or ".join(f'game = "{name}"' for name in registry.names())
        wrong = f'no game called "{named}"' if "game" in data else "it doesn't say which game it belongs to"
        document.fault("game", wrong, known)
        raise MalformedError(document.faults)
    return find_game(named)


def _reader_of(document: Document, kind: str) -> Game | None:
    """The one game that knows a document's tables better than any other; None if that is none, or several."""
    strange = {game: _strange(game, document.fresh(), kind) for game in find_games()}
    least = min(strange.values())
    best = [game for game, count in strange.items() if count == least]
    return best[0] if len(best) == 1 else None


def _strange(game: Game, document: Document, kind: str) -> tuple[int, int]:
    """How strange a document is to a game: its outermost tables that do not fit, then everything in it."""
    try:
        LOADERS[kind](game, document)
    except MalformedError as error:
        return sum("." not in fault.place for fault in error.faults), len(error.faults)
    except GrognardError:
        return sys.maxsize, 0  # it has no files of this kind
    return 0, 0


#: What reads the files of each kind that say of which game they are.
LOADERS: Mapping[str, Callable[[Game, Document], Any]] = {
    "scenario": lambda game, document: game.load_scenario(document),
    "situation": lambda game, document: game.load_situation(document),
    "force": lambda game, document: game.check_force(document),
    "units": lambda game, document: game.load_units(document),
}


def load_map(document: Document, only: str = "") -> Any:
    """A map in the words of its game; where it does not say which, in those of the game that it fits best."""
    named = document.data.get("game", only) if isinstance(document.data, dict) else only
    refused: MalformedError | None = None
    without: GrognardError | None = None
    for game in find_games(named if isinstance(named, str) else ""):
        try:
            return game.load_map(document.fresh())
        except MalformedError as error:
            if refused is None or len(error.faults) < len(refused.faults):
                refused = error
        except GrognardError as error:
            without = error  # a game that has no such maps
    raise refused or without or GrognardError(f"{document.name}: no game uses such a map")


# ---- scenarios ---------------------------------------------------------------------------------------


class Listed(NamedTuple):
    """A scenario of the list."""

    game: Game
    name: str
    scenario: Any
    summary: Mapping[str, str | int]


def listed(only: str = "") -> Iterator[Listed]:
    """Every scenario that comes with the games."""
    for game in find_games(only):
        for name, path in game.scenario_files().items():
            scenario = game.load_scenario(Document.read(path))
            yield Listed(game, name, scenario, game.summary(scenario))


def smallest(only: str = "") -> tuple[Game, Any]:
    """The scenario with the fewest units: the one to begin with."""
    found = min(listed(only), key=lambda entry: (int(entry.summary.get("units", 10**6)), entry.name), default=None)
    if found is None:
        raise GrognardError("there is no scenario to play; give a .toml file")
    return found.game, found.scenario


def open_scenario(word: str, only: str = "") -> tuple[Game, Any]:
    """A scenario by name, by file, made at random, or the smallest there is."""
    if not word:
        return smallest(only)
    if word == RANDOM or word.startswith(f"{RANDOM}:"):
        return _random_battle(word, only)
    if _is_path(word):
        found = recognise(Path(word))
        if found.kind != "scenario":
            raise _wrong_kind(found, "a scenario")
        game = game_of(found.document, found.kind, only)
        return game, game.load_scenario(found.document)
    game, path = _named_scenario(word, only)
    return game, game.load_scenario(Document.read(path))


def open_start(word: str, only: str = "") -> tuple[Game, Any, Any]:
    """What a battle begins from: a scenario as `open_scenario` takes it, with no state, or a situation with its own."""
    if word and _is_path(word) and (found := recognise(Path(word))).kind == "situation":
        game = game_of(found.document, found.kind, only)
        return (game, *game.load_situation(found.document))
    return (*open_scenario(word, only), None)


def _is_path(word: str) -> bool:
    return Path(word).suffix in (".toml", *JSON) or Path(word).exists()


def _named_scenario(word: str, only: str) -> tuple[Game, Path]:
    prefix, _, name = word.rpartition("/")
    homes = [(game, files[name]) for game in find_games(prefix or only) if name in (files := game.scenario_files())]
    if not homes:
        known = [name for game in find_games(prefix or only) for name in game.scenario_files()]
        raise unknown("scenario", word, known)
    if len(homes) > 1:
        choices = " or ".join(f"{game.name}/{name}" for game, _ in homes)
        raise GrognardError(f"several games have a scenario called {name!r}; choose {choices}")
    return homes[0]


def _random_battle(word: str, only: str) -> tuple[Game, Any]:
    choices: dict[str, str] = {}
    for part in word[len(RANDOM) + 1 :].split(","):
        key, is_, value = part.partition("=")
        if part.strip() and not is_:
            raise GrognardError(f"{word}: {part!r} is not a choice; write it as {RANDOM}:size=small,seed=7")
        if is_:
            choices[key.strip()] = value.strip()
    wanted = choices.pop("game", only)
    makers = [game for game in find_games(wanted) if wanted or game.random_battles is not None]
    if not makers:
        raise GrognardError("no game makes random battles")
    able = [maker for maker in makers if set(choices) <= _known(maker).keys()]
    game = next((maker for maker in able if _offers(maker, choices)), able[0] if able else None)
    if game is None:
        known = dict.fromkeys(name for maker in makers for name in _known(maker))
        for key in choices:
            if key not in known:
                raise unknown("choice for a random battle", key, ["game", *known])
        raise GrognardError(f"{word}: no game has all of these choices; choose a game with game=NAME")
    return game, game.random_battle(**choices)


def _known(game: Game) -> dict[str, tuple[str, ...]]:
    """The choices that a game knows for a random battle, with the values that it lists."""
    return {name: values for name, values, *_ in game.random_choices()} | {SEED: ()}


def _offers(game: Game, choices: Mapping[str, str]) -> bool:
    """Whether a game lists every value that was chosen, so far as it lists any: games may share a choice's name."""
    known = _known(game)
    return all(value in known[key] for key, value in choices.items() if known[key])


# ---- what a file is ----------------------------------------------------------------------------------


class Found(NamedTuple):
    """A file that was read, and what it seems to be."""

    kind: str
    document: Document
    raw: bytes


def recognise(path: Path) -> Found:
    """Read a file and tell by its content what it is; one that is nothing we know is a fault."""
    raw = read_bytes(path)
    document = _parse(path, raw)
    kind = _kind(document.data)
    if not kind:
        wrong = "neither a scenario nor a situation, a map, charts or a saved game"
        right = "a scenario has [side.NAME] tables, a situation [[unit]] tables, a map a [map] table or GeoJSON"
        raise MalformedError([Fault(str(path), 0, "", wrong, right)])
    return Found(kind, document, raw)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, or the fault that it cannot be read."""
    return read_bounded(path)


def _parse(path: Path, raw: bytes) -> Document:
    if len(raw) > MOST_WRITTEN and path.suffix not in JSON:
        wrong = f"larger than {MOST_WRITTEN // 2**20} MB"
        raise MalformedError([Fault(str(path), 0, "", wrong, "a smaller file")])
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        fault = Fault(str(path), raw.count(b"\n", 0, error.start) + 1, "", "not UTF-8 text", "save the file as UTF-8")
        raise MalformedError([fault]) from None
    if path.suffix in JSON or text.lstrip()[:1] == "{":
        document = Document.from_json(text, str(path), check=False)
        document.text = text
        if _kind(document.data) != "save":  # that has its own reader
            document.check_values()
        return document
    return Document.from_toml(text, str(path))


def _kind(data: Any) -> str:
    """What the content of a file says that it is."""
    if not isinstance(data, dict):
        return ""
    if data.get("format") == SAVED or {"answers", "digest"} <= data.keys():
        return "save"
    if data.get("type") == "FeatureCollection" or "features" in data:
        return "map"
    if "side" in data:
        return "scenario"
    if data.keys() & {"map", "table"} and not data.keys() - {"map", "table", "terrain", "game"}:
        return "map"
    if _is_units(data):
        return "units"
    if isinstance(data.get("nation"), str) and isinstance(data.get("unit"), list):
        return "force"
    if data.keys() & {"map", "table"} or isinstance(data.get("unit"), list):
        return "situation"
    if "rule" in data:
        return "rules"
    tables = {key for key, value in data.items() if isinstance(value, dict)}
    return "charts" if tables and any(tables & chart_names(game.name) for game in find_games()) else ""


#: What a unit of a situation has and a unit of a roster never.
PLACED = frozenset({"hex", "at", "side", "models", "aboard", "attached", "building", "status", "due"})


def _is_units(data: dict[str, Any]) -> bool:
    """Whether a file has units of a roster and nothing else."""
    units = data.get("unit")
    if not isinstance(units, list) or data.keys() - {"unit", "game"}:
        return False
    return all(isinstance(unit, dict) and "id" in unit and not _placed(unit) for unit in units)


def _placed(unit: dict[str, Any]) -> bool:
    """Whether a unit stands somewhere; a number of models is a figure, a list of them are places."""
    return any(key in unit and not (key == "models" and isinstance(unit[key], int)) for key in PLACED)


@cache
def chart_names(game: str) -> frozenset[str]:
    """The names of the tables in a game's charts."""
    path = find_game(game).folder / "charts.toml"
    return frozenset(Document.read(path).data) if path.is_file() else frozenset()


@cache
def chart_entries(game: str) -> frozenset[tuple[str, str]]:
    """The same with the entries of each: several games have a table of terrain, but not of the same."""
    path = find_game(game).folder / "charts.toml"
    return _entries(Document.read(path).data) if path.is_file() else frozenset()


def _entries(tables: Any) -> frozenset[tuple[str, str]]:
    return frozenset((name, key) for name, table in tables.items() if isinstance(table, dict) for key in table)


def charts_game(document: Document, only: str = "") -> Game:
    """The game that charts are for: the one that is wanted, or the one that has most of their tables and entries."""

    def known(game: Game) -> tuple[int, int]:
        tables = chart_names(game.name) & document.data.keys()
        return len(tables), len(chart_entries(game.name) & _entries(document.data))

    return max(find_games(only), key=known)


def _wrong_kind(found: Found, wanted: str) -> MalformedError:
    return MalformedError([Fault(found.document.name, 0, "", f"this is a {found.kind!r} file", wanted)])


# ---- positions ---------------------------------------------------------------------------------------


def open_position(word: str, only: str = "") -> Session:
    """A session in a situation, at the opening of a scenario, or where a saved game stands."""
    if _is_path(word):
        found = recognise(Path(word))
        if found.kind == "save":
            return open_save(Path(word), found.raw)
        if found.kind == "situation":
            game = game_of(found.document, found.kind, only)
            scenario, state = game.load_situation(found.document)
            return Session(game, scenario, state=state, script=())
        if found.kind != "scenario":
            raise _wrong_kind(found, "a situation, a scenario or a saved game")
    game, scenario = open_scenario(word, only)
    return Session(game, scenario, script=())


def open_save(path: Path | str, raw: bytes | None = None) -> Session:
    """A saved game, played again from its beginning and found to lead to the same state.

    Of one whose bytes are at hand the path is only what errors call it.
    """
    name = str(path)
    raw = read_bytes(Path(path)) if raw is None else raw
    save = read_save(raw, name)
    game, scenario, state = save_opening(save, name)
    return resuming.load(raw, game, scenario, state, name)


def save_opening(save: Save, name: str) -> tuple[Game, Any, Any]:
    """The game and the scenario of a save, and the state that it began in where that was a situation's."""
    if save.game not in registry.names():
        known = " or ".join(registry.names())
        raise MalformedError([Fault(name, 0, "game", f'no game called "{save.game}"', known)])
    game = registry.game(save.game)
    if save.rules != game.rules_version:
        # Told before its scenario is read, which another version may have written otherwise.
        right = f"the rules of {game.name} are at version {game.rules_version}"
        raise VersionError([Fault(name, 0, "rules", f"a save under rules version {save.rules}", right)])
    document = Document.from_toml(save.source, f"{name}: its scenario")
    document.files = dict(save.files)
    if save.situation:
        return game, *game.load_situation(document)
    return game, game.load_scenario(document), None
