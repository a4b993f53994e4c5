"""Artillery, aircraft and smoke: where they do most (33, 106-109)."""

from __future__ import annotations

from collections.abc import Iterable

from grognard.core.tactics import Reason
from grognard.games.ost import artillery, combat, fortifications, support_weapons
from grognard.games.ost.air_strikes import PILOTS
from grognard.games.ost.sight import spotting_range
from grognard.games.ost.state import Unit
from grognard.games.ost.tactics.harm import chance_of_one
from grognard.games.ost.tactics.moves import Moves
from grognard.games.ost.tactics.shots import Shots
from grognard.kits.hex.tactics.choices import Why, because

#: An inaccurate strike still falls somewhere; that it may fall on one's own counts a little.
DRIFT = 0.2
#: How many hexes are looked at for a strike.
HEXES = 12
#: How often mortar Smoke falls where it should, about.
SCREEN = 0.6


class Strikes:
    """The strikes that could be called in one position."""

    def __init__(self, shots: Shots, moves: Moves) -> None:
        self.shots, self.moves, self.position = shots, moves, shots.position
        self._cache: dict[tuple[str, str], float] = {}
        self._smoke: dict[str, float] = {}

    def _hit(self, unit: Unit, power: int, how: str) -> float:
        battle = self.position.battle
        guard = combat.defense_tally(battle, unit, how, flank=True).total
        return self.shots.gain(unit, self.shots.on(unit, max(power, 1) - guard))

    def oba(self, kind: str, hex: str) -> float:
        """What a strike of a kind on a hex is worth: friend and foe in all seven hexes (107)."""
        known = self._cache.get((kind, hex))
        if known is not None:
            return known
        battle = self.position.battle
        figures = battle.charts.oba[kind]
        found = 0.0
        for place in (hex, *battle.grid.adjacent[hex]):
            power = figures["fp"] if place == hex else figures["fp_ring"]
            for unit in battle.at.get(place, ()):
                if unit.attached or place in battle.state.melees or (unit.hidden and unit.side != self.position.side):
                    continue
                found += self._hit(unit, power, "oba") * (1.0 if unit.side != self.position.side else 1.4)
        accurate = self._accurate(kind)
        found *= accurate + DRIFT * (1 - accurate)
        self._cache[kind, hex] = found
        return found

    def _accurate(self, kind: str) -> float:
        """The chance that a strike falls where it should (108)."""
        return chance_of_one(self.position.battle.charts.oba[kind]["accurate_at_least"])

    def targets(self) -> list[str]:
        """Hexes worth a strike: those of enemies, and those between several of them."""
        battle = self.position.battle
        found: dict[str, float] = {}
        for foe in self.position.foes:
            for hex in (foe.hex, *battle.grid.adjacent[foe.hex]):
                found[hex] = found.get(hex, 0.0) + (2.0 if hex == foe.hex else 0.8) * foe.worth
        return sorted(found, key=lambda hex: -found[hex])[:HEXES]

    def spotted(self, hexes: Iterable[str]) -> list[str]:
        """Those of the hexes that somebody can spot."""
        position, battle = self.position, self.position.battle
        able = [(u, spotting_range(battle, u)) for u in artillery.spotters(battle, position.side) if not u.attached]
        rows = [(unit, reach, position.piece(unit).row) for unit, reach in able]
        know, dist = position.know, position.dist
        return [
            hex
            for hex in hexes
            if hex not in battle.state.melees
            and any(
                dist[unit.hex][hex] <= reach and know.seen(battle, unit, row, hex) >= 0 for unit, reach, row in rows
            )
        ]

    def best_oba(self, kind: str) -> tuple[float, str]:
        """The best strike of a kind, and where."""
        spotted = self.spotted(self.targets())
        return max(((self.oba(kind, hex), hex) for hex in spotted), default=(-9.0, ""))

    def air(self, first: str, second: str) -> float:
        """What an Air Strike on two hexes is worth: the best target in each (106.10, 106.11)."""
        return self.air_hex(first) + self.air_hex(second)

    def air_hex(self, hex: str) -> float:
        """What an aircraft does in one hex."""
        return max(
            (self.air_at(unit) for unit in self.position.battle.at.get(hex, ()) if self._seen(unit)), default=0.0
        )

    def air_at(self, unit: Unit) -> float:
        """What an aircraft does to a unit on average over its pilots."""
        power = self.position.battle.charts["air_strike"]["fp"]
        return sum(self._hit(unit, power[pilot], "air") for pilot in PILOTS) / len(PILOTS)

    def _seen(self, unit: Unit) -> bool:
        return not unit.attached and unit.side != self.position.side and not unit.hidden

    def best_air(self) -> tuple[float, str]:
        """The best first hex of an Air Strike."""
        battle = self.position.battle
        best = (-9.0, "")
        for hex in self.spotted(dict.fromkeys(foe.hex for foe in self.position.foes)):
            around = max((self.air_hex(other) for other in battle.grid.adjacent[hex]), default=0.0)
            best = max(best, (self.air_hex(hex) + around, hex))
        return best

    # -- smoke ---------------------------------------------------------------------

    def smoke(self, hex: str) -> float:
        """What Smoke in a hex is worth: what those who stand there are spared, for they are harder to hit (33.4)."""
        known = self._smoke.get(hex)
        if known is None:
            known = self._smoke[hex] = 0.0 if hex in self.position.state.smoke else self._spared(hex)
        return known

    def _spared(self, hex: str) -> float:
        position, battle, found = self.position, self.position.battle, 0.0
        for unit in battle.at.get(hex, ()):
            if unit.attached or unit.hidden:
                continue
            piece = position.piece(unit)
            if unit.side == position.side and not piece.kind.vehicle:
                now = position.danger(hex, position.guard(unit, hex))[0]
                then = position.danger(hex, position.guard(unit, hex) + 2)[0]
                found += (now - then) * piece.worth * 0.6 - (0.25 * position.aim(piece, hex))
            elif unit.side != position.side:
                found -= 0.15 * piece.power
        return found

    def best_smoke(self, engineer: Unit) -> tuple[float, str]:
        """Where an Engineer's Smoke does most."""
        hexes = fortifications.smoke_hexes(self.position.battle, engineer)
        return max(((self.smoke(hex), hex) for hex in hexes), default=(-9.0, ""))

    def best_screen(self, unit: Unit) -> tuple[float, str]:
        """What the Smoke of a unit's mortar is worth over men of its own side, if it falls well, and where (20mo.11).

        There is no hex where it would help nobody.
        """
        battle, position = self.position.battle, self.position
        found = (-0.2, "")
        for weapon in battle.weapons(unit):
            if not battle.kinds[weapon.kind].mortar:
                continue
            for hex in dict.fromkeys(own.hex for own in position.mine):
                worth = SCREEN * self.smoke(hex)
                if worth > found[0] and support_weapons.bar_smoke(battle, unit, weapon, hex) is None:
                    found = (worth, hex)
        return found

    def oba_smoke(self, kind: str, hex: str) -> float:
        """What a strike's Smoke over a hex and those around it is worth, if it falls well (33.3, 107.17)."""
        battle = self.position.battle
        hexes = [place for place in (hex, *battle.grid.adjacent[hex]) if place in battle.at]
        return self._accurate(kind) * sum(self.smoke(place) for place in hexes)

    def best_oba_smoke(self, kind: str) -> tuple[float, str]:
        """Where a strike's Smoke does most for men of one's own side who are fired at, and what it is worth there."""
        worths = [(self.oba_smoke(kind, hex), hex) for hex in dict.fromkeys(own.hex for own in self.position.mine)]
        worth, hex = max(worths, default=(0.0, ""))
        return (worth, hex) if worth > 0 and self.spotted([hex]) else (-0.2, "")

    def why_screen(self, worth: float, hex: str) -> Why:
        """Why Smoke is laid in a hex, or is not."""
        return because(f"smoke in {hex} protects the units there" if hex else "smoke would protect nobody", worth)

    def reasons(self, hex: str, worth: float) -> tuple[Reason, ...]:
        """Why a strike is called."""
        foes = sum(1 for foe in self.position.foes if self.position.dist[hex][foe.hex] <= 1)
        own = sum(1 for unit in self.position.mine if self.position.dist[hex][unit.hex] <= 1)
        found = [Reason(f"{foes} {'enemy' if foes == 1 else 'enemies'} in and around {hex}", worth)]
        if own:
            found.append(Reason(f"{own} of its own units too close", 0.0))
        return tuple(found)
