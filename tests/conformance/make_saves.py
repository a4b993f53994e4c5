"""Makes the corpus of saved games of a game anew: ``python -m tests.conformance.make_saves ost``.

That is due when the rules of a game change and its ``rules_version`` with them: old saves are then refused.
After the game its scenarios may be named, where a few are enough; else it is all of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from grognard.core import registry
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import battles, start

FOLDER = Path(__file__).parent / "saves"


def main(game: str, *wanted: str) -> None:
    """Play every scenario a while, and save: in a reaction, at a quiet question, or at the end, in turn."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob(f"{game}-*.save"):
        old.unlink()
    for number, scenario in enumerate(wanted or [name for of, name in battles() if of == game]):
        kind = ("reaction", "quiet", "end")[number % 3]
        session = start(game, scenario, 100 + number)
        player = RandomPlayer(100 + number)
        while session.ask is not None:
            count = len(session.answers)
            if kind == "reaction" and session.ask.reaction and count > 100:
                break
            if kind == "quiet" and session.ask.quiet and count > 150:
                break
            session.answer(player.choose(None, session.ask), trusted=True)
        version = registry.game(game).rules_version
        (FOLDER / f"{game}-{scenario}-{kind}-v{version}.save").write_bytes(session.save())


if __name__ == "__main__":
    main(*sys.argv[1:])
