"""Stands, a small table game in centimetres: companies on rectangular bases that keep to their leaders.

docs/adding-a-game.md starts a new game from a copy of this folder: it has what every game on a table needs, and little
else. It proves on the way what `board.table` and `kits.table` know of rectangular bases.
"""
