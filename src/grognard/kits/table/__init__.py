"""Units of models on a table: what every game of miniatures has, whatever its rules."""
