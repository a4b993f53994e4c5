"""How the company game is played well; ``player.CompanyTactics`` is what the house asks."""
