"""The ground of a hex in words."""

from __future__ import annotations

from typing import Any

from grognard.board.hex.battlefield import Battlefield
from grognard.core.files import Document
from grognard.kits.hex.view import ground_words


def field(**tables: Any) -> Battlefield:
    data = {"columns": 6, "rows": 6, "labels": {"C3": "Mill"}, **tables}
    return Battlefield.from_sketch(data, Document(data, "demo.toml"), "map")


def test_heights_are_told_where_contours_tell_them() -> None:
    assert ground_words(field(), "C3", "woods") == "woods, Mill"
    assert ground_words(field(heights={"20": "A1-F6", "40": "B2-D4"}), "C3", "woods") == "woods, 40 m, Mill"
