"""Save and protocol have a number each. These tests are meant to fail when their shape changes.

When one does: raise the number in the source, and put the new fingerprint beside the new number here. The rules of
each game have a number too; the saved games of the conformance suite notice when rules change under it.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from grognard.core import aid_views
from grognard.core.saves import SAVE_VERSION, Save
from grognard.core.standing_orders import StandingOrder
from grognard.core.view import PROTOCOL_VERSION, BarView, LuckView, OddsView, PreviewView, Prospect, View

SAVES = {1: "3b74de53475c4e51"}
PROTOCOLS = {
    1: "533b95710d360e2e",
    2: "9c9ff3c82481d7ae",
    3: "f80655908fed0893",
    4: "600ff2b0d07d3dac",
    5: "d74e548337845388",
    6: "d3da1e686d0175d1",
    7: "7d085c7026e87a04",
}


def fingerprint(*kinds: Any) -> str:
    """A hash of the shape of what is sent or stored."""
    schemas, parts = msgspec.json.schema_components(kinds, ref_template="{name}")
    for part in parts.values():
        part.pop("description", None)
    return hashlib.blake2b(msgspec.json.encode([schemas, parts], order="sorted"), digest_size=8).hexdigest()


def test_the_shape_of_a_save_is_that_of_its_version() -> None:
    assert fingerprint(Save, StandingOrder) == SAVES[SAVE_VERSION]


def test_the_shape_of_what_a_client_is_told_is_that_of_its_version() -> None:
    told = (View, OddsView, PreviewView, Prospect, BarView, LuckView)
    helps = (
        aid_views.BoardView,
        aid_views.SightView,
        aid_views.FieldView,
        aid_views.ChartView,
        aid_views.VerbHelp,
        aid_views.Lesson,
    )
    assert fingerprint(*told, *helps) == PROTOCOLS[PROTOCOL_VERSION]
