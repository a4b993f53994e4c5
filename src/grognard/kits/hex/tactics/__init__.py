"""How games on hexes are played well, so far as they share it: ways over the land, who goes where, and choices."""
