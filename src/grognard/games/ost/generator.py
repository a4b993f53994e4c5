"""Random battles: a drawn map, two balanced forces and something to fight for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from grognard.board.hex.grid import HexGrid, hex_grid
from grognard.core.random_battles import (
    Choice,
    RandomBattles,
    head_lines,
    pair_of,
    quoted,
    unit_lines,
    years_of,
)
from grognard.games.ost.roster import UnitType, roster

DEFAULT_NATIONS = ("german", "american")
DEFAULT_YEAR = 1944
TERRAINS = ("mixed", "farmland", "woods", "town", "hills")


class Size(NamedTuple):
    """How large a battle is: the map, the turns, and how many squads defend."""

    columns: int
    rows: int
    turns: int
    squads: int
    leaders: int
    guns: int
    vehicles: int
    houses: int


SIZES = {
    "small": Size(14, 10, 7, 4, 2, 1, 0, 4),
    "medium": Size(18, 14, 9, 6, 3, 2, 1, 7),
    "large": Size(24, 18, 11, 10, 4, 3, 3, 11),
}

# patches of each terrain for every hundred hexes
PATCHES = {
    "mixed": {"woods": 2.0, "brush": 1.5, "wheatfield": 1.0, "orchard": 0.7, "farm": 0.5},
    "farmland": {"wheatfield": 2.5, "farm": 1.5, "orchard": 1.2, "brush": 0.8, "woods": 0.5},
    "woods": {"woods": 4.5, "brush": 2.5, "marsh": 0.4},
    "town": {"debris": 0.8, "brush": 0.8, "orchard": 0.8, "woods": 0.5, "cemetery": 0.3},
    "hills": {"woods": 2.0, "brush": 2.0, "shell_holes": 0.3},
}
FIELDS = ("farm", "wheatfield", "orchard")
PASTURES = {"mixed": 1.0, "farmland": 2.0, "woods": 0.5, "town": 1.5, "hills": 1.5}
HILLS = {"mixed": 1, "farmland": 0, "woods": 1, "town": 0, "hills": 4}
STREAM = {"mixed": 0.4, "farmland": 0.3, "woods": 0.3, "town": 0.1, "hills": 0.2}
ATTACK = 1.35  # what an attacker's force is worth for each point of the defender's


class OstRandomBattles(RandomBattles):
    """A village to be held; of the nations the first defends, the second attacks."""

    named_after = ("size", "year", "nations", "terrain")

    def choices(self) -> Sequence[Choice]:
        """The size, who fights, the terrain and the year."""
        years = self.squads()
        first, second = DEFAULT_NATIONS
        pairs = [
            f"{one}/{two}"
            for one in sorted(years)
            for two in sorted(years)
            if one != two and DEFAULT_YEAR in years[one] & years[two] and "german" in (one, two)
        ]
        common = sorted(years[first] & years[second])
        return (
            Choice("size", tuple(SIZES), "small"),
            Choice("nations", tuple(pairs), f"{first}/{second}", open=True),
            Choice("terrain", TERRAINS, "mixed"),
            Choice("year", tuple(map(str, common)), str(DEFAULT_YEAR), open=True),
        )

    def squads(self) -> dict[str, set[int]]:
        """Of each nation the years in which it has squads."""
        return years_of(kind for kind in roster().values() if kind.squad)

    def write(self, name: str, chosen: Mapping[str, str], random: Random) -> str:
        """The file of a battle."""
        size, terrain = SIZES[chosen["size"]], chosen["terrain"]
        ground = _Ground(size, terrain, random)
        return _Writer(name, size, int(chosen["year"]), pair_of(chosen["nations"]), terrain, ground, random).write()


# ---- the map ------------------------------------------------------------------------------------------------


class _Ground:
    """A map being drawn: terrain by hex, levels, roads, houses, hexsides."""

    def __init__(self, size: Size, kind: str, random: Random) -> None:
        self.size, self.kind, self.random = size, kind, random
        self.grid: HexGrid = hex_grid(size.columns, size.rows)
        self.terrain: dict[str, str] = {}
        self.levels: dict[str, int] = {}
        self.hexsides: dict[str, str] = {}
        self.bridges: list[str] = []
        self.fields: list[list[str]] = []
        self.houses: list[tuple[str, str, int]] = []
        self.roads = [self._road()]
        if size.columns > 14 or kind == "town":
            self.roads.append(self._cross_road())
        self.on_road = {hex for road in self.roads for hex in road}
        self.centre = self._centre()
        self._hills()
        self._patches()
        if random.random() < STREAM[kind]:
            self._stream()
        self._village()
        self._hedges()

    def _walk(self, start: tuple[int, int], end: tuple[int, int]) -> list[str]:
        """A crooked chain of hexes from one place to another, always getting nearer."""
        at, goal = self.grid.label(*start), self.grid.label(*end)
        path = [at]
        while at != goal:
            left = self.grid.distance(at, goal)
            nearer = [hex for hex in self.grid.adjacent[at] if self.grid.distance(hex, goal) < left]
            at = self.random.choice(nearer)
            path.append(at)
        return path

    def _road(self) -> list[str]:
        rows = self.size.rows
        first, last = (self.random.randrange(rows // 3, rows - rows // 3) for _ in range(2))
        return self._walk((0, first), (self.size.columns - 1, last))

    def _cross_road(self) -> list[str]:
        columns = self.size.columns
        top, bottom = (self.random.randrange(columns // 2, columns - columns // 4) for _ in range(2))
        return self._walk((top, 0), (bottom, self.size.rows - 1))

    def _centre(self) -> str:
        """The middle of the village: on the road, in the defender's half."""
        aim = self.size.columns * 2 // 3
        return min(self.roads[0], key=lambda hex: abs(self.grid.position(hex)[0] - aim))

    def _blob(self, count: int, start: str | None = None) -> list[str]:
        start = start or self.random.choice(self.grid.hexes)
        found = [start]
        while len(found) < count:
            edge = [hex for here in found for hex in self.grid.adjacent[here] if hex not in found]
            if not edge:
                break
            # The hex that touches most of the patch keeps it compact.
            found.append(max(self.random.choices(edge, k=4), key=edge.count))
        return found

    def _hills(self) -> None:
        for _ in range(HILLS[self.kind]):
            hill = self._blob(self.random.randrange(5, 12))
            self.levels.update(dict.fromkeys(hill, 2))
            if self.kind == "hills" and self.random.random() < 0.5:
                top = [hex for hex in hill if all(self.levels.get(n, 1) >= 2 for n in self.grid.adjacent[hex])]
                self.levels.update(dict.fromkeys(top[:3], 3))

    def _patches(self) -> None:
        hundreds = len(self.grid.hexes) / 100
        for terrain, each in PATCHES[self.kind].items():
            number = each * hundreds
            count = int(number) + (self.random.random() < number % 1)
            for _ in range(count):
                patch = [
                    hex
                    for hex in self._blob(self.random.randrange(2, 7))
                    if hex not in self.on_road or terrain == "woods"
                ]
                self.terrain.update(dict.fromkeys(patch, terrain))
                if terrain in FIELDS:
                    self.fields.append(patch)

    def _stream(self) -> None:
        columns = self.size.columns
        top, bottom = (self.random.randrange(columns // 4, columns // 2) for _ in range(2))
        for hex in self._walk((top, 0), (bottom, self.size.rows - 1)):
            self.terrain[hex] = "stream"
            self.levels.pop(hex, None)
            if hex in self.on_road:
                self.bridges.append(hex)

    def _village(self) -> None:
        near = sorted(
            (hex for hex in self.grid.within(self.centre, 4) if hex not in self.on_road and self._dry(hex)),
            key=lambda hex: (min(self.grid.distance(hex, road) for road in self.roads[0]), self.random.random()),
        )
        houses = self.size.houses * (2 if self.kind == "town" else 1)
        for number, hex in enumerate(near[:houses]):
            stone = self.random.random() < 0.45
            self.houses.append((hex, "heavy_structure" if stone else "light_structure", 2 if number == 1 else 1))
            self.terrain.pop(hex, None)

    def _dry(self, hex: str) -> bool:
        return self.terrain.get(hex) not in ("stream", "marsh")

    def _hedges(self) -> None:
        """Hedges or walls round fields and pastures, with gates in them and gaps for roads (M-3)."""
        kind = "stone_wall" if self.kind == "hills" else "hedge"
        built = {hex for hex, _, _ in self.houses}
        hundreds = len(self.grid.hexes) / 100
        pastures = [self._blob(self.random.randrange(2, 5)) for _ in range(round(PASTURES[self.kind] * hundreds))]
        for field in [*self.fields, *pastures]:
            inside = {hex for hex in field if hex not in built and self.terrain.get(hex, "farm") in FIELDS}
            for hex in sorted(inside):
                for other in self.grid.adjacent[hex]:
                    crossed = hex in self.on_road and other in self.on_road
                    if other not in inside and not crossed and other not in built and self.random.random() < 0.75:
                        self.hexsides[self.grid.hexside(hex, other)] = kind

    def text(self) -> str:
        """The map as a sketch."""
        lines = ["[map]", 'name = "random"', f"columns = {self.size.columns}", f"rows = {self.size.rows}"]
        if self.bridges:
            lines.append(f"bridges = {_quote(self.bridges)}")
        lines.append(f'labels = {{ {self.centre} = "Village" }}')
        for title, table in (("terrain", self.terrain), ("levels", self.levels), ("hexsides", self.hexsides)):
            lines.append(f"[map.{title}]")
            values: list[str | int] = sorted(set(table.values()), key=str)
            lines += [f"{value} = {_quote(hex for hex, v in table.items() if v == value)}" for value in values]
        for number, road in enumerate(self.roads):
            ends = ("6", "2") if not number else ("1", "4")
            path = ", ".join([f"{road[0]}>{ends[0]}", *road, f"{road[-1]}>{ends[1]}"])
            lines += ["[[map.road]]", f'path = "{path}"']
        for hex, terrain, level in self.houses:
            lines += ["[[map.building]]", f'terrain = "{terrain}"', f'hexes = "{hex}"', f"level = {level}"]
        return "\n".join(lines)


def _quote(hexes: Iterable[str]) -> str:
    return quoted(", ".join(hexes))


# ---- the forces ---------------------------------------------------------------------------------------------


def worth(kind: UnitType) -> float:
    """What a counter is worth in a fight, roughly: for balancing random forces only."""
    gun = max((0.6 * gun.bands[0][3] + gun.he for gun in kind.guns), default=0.0)
    if kind.vehicle:
        armor = 0.0 if kind.soft else 0.8 * kind.front + 0.5 * kind.flank
        return gun + armor + 0.5 * kind.secondary.fp + 0.3 * int(kind.move)
    if kind.leader or kind.armor_leader:
        return 2.0 + kind.command_range
    if kind.kind == "support":
        band = 0.4 * kind.bands[0][3] if kind.bands else 0.0
        return (0.5 if kind.single_use else 1.0) * (0.6 * kind.fp + 0.5 * kind.he + band)
    if kind.crewed:
        return kind.defense + (gun or 1.2 * kind.fp + 0.3 * kind.range)
    return kind.fp + 0.25 * kind.range + kind.defense


class Force(NamedTuple):
    """A side's counters by id, with how many of each."""

    units: dict[str, int]
    weapons: dict[str, int]

    @property
    def worth(self) -> float:
        """What all of them are worth."""
        kinds = roster()
        return sum(worth(kinds[id]) * count for id, count in (*self.units.items(), *self.weapons.items()))


class _Muster:
    """Draws a force of a nation and year up to a worth."""

    def __init__(self, nation: str, year: int, random: Random) -> None:
        self.random = random
        kinds = [k for k in roster().values() if k.nation == nation and k.years[0] <= year <= k.years[1]]
        branches = sorted({k.branch for k in kinds if k.squad and k.class_ in ("rifle", "airborne")})
        self.branch = random.choice([b for b in branches if b != "partisan"] or branches)
        self.squads = [k for k in kinds if k.squad and k.branch == self.branch and not k.engineer]
        self.engineers = [k for k in kinds if k.engineer and k.squad]
        self.leaders = [k for k in kinds if k.leader and k.branch == self.branch] or [k for k in kinds if k.leader]
        self.machine_guns = [k for k in kinds if k.machine_gun]
        self.guns = [k for k in kinds if k.anti_tank_gun and not k.transport_only]
        self.tanks = [k for k in kinds if k.armored and k.guns and not k.limited_fire]
        self.armor_leaders = [k for k in kinds if k.armor_leader]
        self.snipers = [k for k in kinds if k.sniper]
        self.weapons = [k for k in kinds if k.kind == "support" and k.class_ not in ("flamethrower", "satchel")]

    def draw(self, size: Size, budget: float | None, attack: bool) -> Force:
        """A force of the size; with a budget, filled up with squads and tanks until it is worth that much."""
        force = Force({}, {})
        main = self.random.choice([k for k in self.squads if k.class_ in ("rifle", "airborne")] or self.squads)
        self.add(force, main.id, size.squads - 1)
        self.add(force, self.random.choice(self.squads).id)
        if self.engineers:
            self.add(force, self.random.choice(self.engineers).id)
        for leader in self.random.choices(self.leaders, k=size.leaders):
            self.add(force, leader.id)
        if self.machine_guns:
            self.add(force, self.random.choice(self.machine_guns).id, 1 + size.guns // 2)
        if self.guns and not attack:
            for gun in self.random.choices(self.guns, k=size.guns):
                self.add(force, gun.id)
        if self.tanks:
            for tank in self.random.choices(self.tanks, k=size.vehicles + attack):
                self.add(force, tank.id)
            if size.vehicles and self.armor_leaders:
                self.add(force, self.armor_leaders[0].id)
        if self.snipers and not attack:
            self.add(force, self.snipers[0].id)
        for weapon in self.random.choices(self.weapons, k=size.squads // 2 + 1):
            force.weapons[weapon.id] = force.weapons.get(weapon.id, 0) + 1
        while budget is not None and force.worth < budget:
            more = self.tanks if self.tanks and self.random.random() < 0.2 and size.vehicles else self.squads
            self.add(force, self.random.choice(more).id)
        return force

    def add(self, force: Force, id: str, count: int = 1) -> None:
        """Add counters to a force."""
        force.units[id] = force.units.get(id, 0) + count


# ---- the scenario --------------------------------------------------------------------------------------------


class _Writer:
    """Writes a random battle as TOML."""

    def __init__(
        self,
        name: str,
        size: Size,
        year: int,
        nations: tuple[str, str],
        terrain: str,
        ground: _Ground,
        random: Random,
    ) -> None:
        self.name, self.size, self.year, self.nations, self.terrain = name, size, year, nations, terrain
        self.ground, self.random = ground, random
        self.defender = _Muster(nations[0], year, random).draw(size, None, attack=False)
        self.attacker = _Muster(nations[1], year, random).draw(size, ATTACK * self.defender.worth, attack=True)

    def write(self) -> str:
        """The whole file."""
        ground, size = self.ground, self.size
        last = ground.grid.hexes[-1]
        column = ground.grid.label(size.columns * 2 // 5, 0)
        zones = (f"{column}-{last}", f"A1-{ground.grid.label(2, size.rows - 1)}")
        goals = self._goals()
        defender, attacker = (nation.capitalize() for nation in self.nations)
        briefing = f"{attacker} troops attack through {self.terrain} terrain; {defender} troops hold the village."
        parts = [
            *head_lines("ost", self.name, f"{attacker} attack, {self.year}", str(self.year), briefing),
            f"turns = {size.turns}",
            ground.text(),
            *(f'[control.{hex}]\nowner = "{self.nations[0]}"' for hex in goals),
            self._victory(goals),
            self._side(self.nations[0], zones[0], "2d6+3", self.defender, defends=True),
            self._side(self.nations[1], zones[1], "3d6+2", self.attacker, defends=False),
        ]
        return "\n".join(parts) + "\n"

    def _goals(self) -> list[str]:
        """The control hexes: the village, a house, and high or middling ground."""
        ground = self.ground
        goals = [ground.centre]
        if ground.houses:
            goals.append(ground.houses[min(1, len(ground.houses) - 1)][0])
        half = [h for h in ground.grid.hexes if ground.grid.position(h)[0] >= self.size.columns * 2 // 5]
        free = [h for h in half if ground.terrain.get(h) not in ("stream", "marsh") and h not in goals]
        high = [h for h in free if ground.levels.get(h, 1) > 1] or [h for h in free if h in ground.on_road]
        goals.append(self.random.choice(high or free))
        return goals

    def _victory(self, goals: list[str]) -> str:
        lines = ["[victory]", f'tie = "{self.nations[0]}"']
        for hex, points in zip(goals, (4, 2, 2)):
            lines += ["[[victory.control]]", f'hexes = "{hex}"', f"points = {points}"]
        lines += ["[[victory.casualties]]", "per = 5"]
        return "\n".join(lines)

    def _side(self, nation: str, zone: str, impulse: str, force: Force, *, defends: bool) -> str:
        kinds, random = roster(), self.random
        lines = [f"[side.{nation}]", f'nation = "{nation}"', f'impulse = "{impulse}"']
        lines += [f"gut_check = {random.choice((6, 7, 7, 8))}", f'zone = "{zone}"']
        asset = random.choice(("mortars", "mortars", "artillery"))
        if not defends or random.random() < 0.5:
            lines.append(f"assets = {{ {asset} = 1 }}")
        if defends:
            lines.append("hidden = 2")

        def may_hide(id: str) -> list[str]:
            kind = kinds[id]
            hides = defends and (kind.anti_tank_gun or kind.sniper or kind.machine_gun)
            return ['hidden = "may"'] if hides else []

        lines += [*unit_lines(nation, force.units, more=may_hide), *unit_lines(nation, force.weapons, "weapon")]
        if defends:
            lines += unit_lines(nation, {"foxholes": 2 + self.size.squads // 3, "trench": 1, "wire": 2}, "work")
            lines += [f"[[side.{nation}.mines]]", f"count = {1 + self.size.guns // 2}"]
        return "\n".join(lines)
