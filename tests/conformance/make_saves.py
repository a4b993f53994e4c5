"""Makes the corpus of saved games: ``python -m tests.conformance.make_saves``. Some end inside a reaction."""

from __future__ import annotations

from pathlib import Path

from grognard.core import registry
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import battles, start

FOLDER = Path(__file__).parent / "saves"


def main() -> None:
    """Play every scenario a while, and save in a reaction, at a quiet question and at the end."""
    FOLDER.mkdir(exist_ok=True)
    for game, scenario in battles():
        version = registry.game(game).rules_version
        for kind, wanted in (("reaction", 0), ("quiet", 1), ("end", 2)):
            session = start(game, scenario, 100 + wanted)
            player = RandomPlayer(100 + wanted)
            count = 0
            while session.ask is not None:
                if kind == "reaction" and session.ask.reaction and count > 100:
                    break
                if kind == "quiet" and session.ask.quiet and count > 150:
                    break
                session.answer(player.choose(None, session.ask), trusted=True)
                count += 1
            (FOLDER / f"{game}-{scenario}-{kind}-v{version}.save").write_bytes(session.save())


if __name__ == "__main__":
    main()
