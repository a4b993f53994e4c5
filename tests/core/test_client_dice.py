"""The client checks the dice in the browser: its test vectors are what the server's dice throw."""

from __future__ import annotations

import json
from pathlib import Path

from grognard.core.dice import FairDice, fair_faces

VECTORS = Path(__file__).parents[2] / "web" / "src" / "lib" / "fair.vectors.json"


def test_the_clients_vectors_are_the_servers_dice() -> None:
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert len(vectors) >= 3
    for vector in vectors:
        seed = bytes.fromhex(vector["seed"])
        assert FairDice(seed).commitment == vector["commitment"]
        for count, (number, sides, faces) in enumerate(vector["rolls"], 1):
            assert list(fair_faces(seed, count, number, sides)) == faces
        late = vector["late"]
        assert list(fair_faces(seed, late["count"], 3, 6)) == late["faces"]
