"""Copies of plain data, worked out once from its types: no game writes down which fields of its state to copy."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T")


def copier(kind: type[T]) -> Callable[[T], T]:
    """A function that copies values of a type so that the copy shares nothing that can change.

    Frozen Structs, tuples of plain values, numbers and strings are shared, for nobody can change them.

    >>> class Squad(msgspec.Struct):
    ...     name: str
    ...     men: list[int] = []
    >>> one = Squad("g1", [1, 2])
    >>> other = copier(Squad)(one)
    >>> other.men.append(3)
    >>> one.men, other.men
    ([1, 2], [1, 2, 3])
    """
    source = _Source()
    copy = source.copy_of(inspect.type_info(kind), "value")
    return source.function(f"return {copy or 'value'}")


class _Source:
    """Writes the copy of a type as source, as ``dataclasses`` does: a loop over field names takes twice the time."""

    def __init__(self) -> None:
        # The C copy of a Struct, without the detour of copy.copy.
        self.known: dict[str, Any] = {"twin": msgspec.Struct.__copy__, "deepcopy": deepcopy}  # type: ignore[attr-defined]

    def function(self, *body: str) -> Callable[[Any], Any]:
        """A function of one value."""
        found: dict[str, Any] = {}
        exec("def copy(value):\n" + "\n".join(f"    {line}" for line in body), self.known, found)
        made: Callable[[Any], Any] = found["copy"]
        return made

    def copy_of(self, info: inspect.Type, value: str) -> str:
        """The expression that copies a value of a type; "" where it can be shared."""
        parts: tuple[inspect.Type, ...] = ()
        if isinstance(info, inspect.StructType):
            return self.copy_of_struct(info, value)
        if isinstance(info, inspect.ListType):
            item = self.copy_of(info.item_type, "each")
            return f"[{item} for each in {value}]" if item else f"{value}[:]"
        if isinstance(info, inspect.DictType):
            item = self.copy_of(info.value_type, "each")
            return f"{{key: {item} for key, each in {value}.items()}}" if item else f"{value}.copy()"
        if isinstance(info, inspect.SetType):
            return f"{value}.copy()"
        if isinstance(info, inspect.TupleType):
            parts = info.item_types
        elif isinstance(info, inspect.VarTupleType):
            parts = (info.item_type,)
        elif isinstance(info, inspect.UnionType):
            parts = info.types
        changes = isinstance(info, inspect.AnyType) or any(self.copy_of(part, value) for part in parts)
        return f"deepcopy({value})" if changes else ""

    def copy_of_struct(self, info: inspect.StructType, value: str) -> str:
        """A Struct is copied by a function of its own."""
        name = f"copy_{info.cls.__name__}"
        if name not in self.known:
            frozen = info.cls.__struct_config__.frozen
            copies = {field.name: self.copy_of(field.type, f"value.{field.name}") for field in info.fields}
            lines = [f"other.{field} = {copy}" for field, copy in copies.items() if copy]
            if lines and not frozen:
                self.known[name] = self.function("other = twin(value)", *lines, "return other")
            else:
                self.known[name] = deepcopy if lines else None if frozen else self.known["twin"]
        return f"{name}({value})" if self.known[name] else ""
