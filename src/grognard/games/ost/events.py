"""What can happen in a battle of Old School Tactical: typed records with the rules behind them.

They are in `turn_events`, `move_events` and `combat_events`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from grognard.core.events import NO_NAMES, Event

#: Sentences that begin with a name begin as it does.
BY_NAME = ("{unit}", "{weapon}")


class Happening(Event, frozen=True, kw_only=True):
    """An event whose sentence is filled in from its fields, units by their names.

    It ``matters`` where it changes a unit's fate: that is what odds are told in.
    """

    sentence: ClassVar[str] = ""
    matters: ClassVar[bool] = False

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The event as a sentence."""
        fields = {name: _in_words(name, getattr(self, name), names) for name in self.__struct_fields__}
        pattern = self.pattern()
        text = pattern.format(**fields).strip()
        return text if pattern.startswith(BY_NAME) else text[:1].upper() + text[1:]

    def pattern(self) -> str:
        """The sentence with its gaps; some events have several."""
        return self.sentence


def _in_words(field: str, value: Any, names: Mapping[str, str]) -> Any:
    """A field as it stands in a sentence: units by their names, sides as names, kinds without underscores."""
    if not isinstance(value, str):
        return value
    if field == "side":
        return value.replace("_", " ").capitalize()
    if field in ("kind", "card"):
        return names.get(value) or value.replace("_", " ")
    return names.get(value, value)
