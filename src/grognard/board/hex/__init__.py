"""Battlefields of hexes: grid, map, sight lines, ways and drawing."""
