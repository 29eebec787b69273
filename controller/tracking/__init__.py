"""Fuses observations with legal plays into a belief about the game."""
