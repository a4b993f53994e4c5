"""How a program plays a game on a table: a chart of the ground, what threatens, what is to be had, and where to go."""
