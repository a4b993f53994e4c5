"""Old School Tactical; ``game.GAME`` is what the rest of the house sees of it."""
