"""What a game says about setting up, so that the kit can find where a unit has room."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from grognard.board.table import formations, placement
from grognard.board.table.bodies import Body
from grognard.board.table.terrain import Kind, Piece
from grognard.core.ask import Bar
from grognard.core.poses import Form
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import Unit

B = TypeVar("B", bound=TableBattle[Any, Any, Any, Any])
U = TypeVar("U", bound=Unit[Any])

#: How ground is closed: no part of a base may touch it, or the middle of a hull or gun may not be in it.
BASE, MIDDLE = "base", "middle"


class SetupRules(ABC, Generic[B, U]):
    """The rules of setting up, for one battle."""

    #: The rule that sends units into their zones, and what else may be wrong with a place.
    rule: ClassVar[str]
    outside: ClassVar[Bar]
    off_table: ClassVar[Bar]
    no_room: ClassVar[Bar]
    #: Whether a model that is set by hand may look another way than the rest.
    turns: ClassVar[bool] = False

    def __init__(self, battle: B) -> None:
        self.battle = battle

    @abstractmethod
    def apart(self, unit: U, other: U) -> float:
        """How far the bases of a unit keep from those of another."""

    @property
    @abstractmethod
    def spacing(self) -> int:
        """How far apart the models of a unit stand in a form."""

    @property
    @abstractmethod
    def at_hand(self) -> float:
        """How near to a wall or hedge a model is at it."""

    @abstractmethod
    def closed(self, unit: U, model: Any, piece: Piece) -> str:
        """How ground is closed to a model that is set up: `BASE`, `MIDDLE`, or "" where it is open."""

    @abstractmethod
    def why_closed(self, unit: U, model: Any, piece: Piece) -> Bar:
        """Why it is."""

    def ground_key(self, unit: U, model: Any) -> Hashable:
        """Models of one key find the same ground closed."""
        return unit.kind

    def stands(self, other: U) -> bool:
        """Whether another unit on the table takes up room there."""
        return True

    @abstractmethod
    def too_near(self, unit: U, other: U) -> Bar:
        """What is wrong with a place too near to another unit."""

    @abstractmethod
    def names(self, unit: U) -> list[str]:
        """The forms that a unit may be set up in, the usual one first."""

    def forms(self, unit: U, names: Sequence[str]) -> list[Form]:
        """The same as a player chooses from."""
        stand, found, pairs = self.battle.bodies(unit), list[Form](), self.pairs(unit)
        for name in names:
            places = formations.lay_out(name, stand, 0, 0, 0, self.spacing, pairs=pairs)
            models = [(model.id, x, y) for model, (x, y) in zip(unit.models, places)]
            found.append(Form(name, placement.TITLES[name], models, formations.turns(name, stand)))
        return found

    def pairs(self, unit: U) -> Sequence[tuple[int, int]]:
        """Models that stand beside each other, by number, such as a gunner and whoever serves his gun."""
        return ()

    def bar_layout(self, unit: U, stand: Sequence[Body]) -> Bar | None:
        """Why models set by hand do not stand together as they must."""
        return None

    def lines_walls(self, unit: U) -> bool:
        """Whether a unit may line walls and hedges."""
        return False

    def shelters(self, kind: Kind) -> bool:
        """Whether poses in or behind ground of a kind are looked for first."""
        return kind.cover != "none"
