"""What games of one kind share once units exist: on a table (`table`), on hexes (`hex`). No kit knows a game."""
