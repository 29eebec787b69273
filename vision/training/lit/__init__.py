"""Dice, cubes and what looks like them, modelled and lit physically by Blender, for networks to learn from."""
