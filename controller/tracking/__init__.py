"""Fuses observations with legal plays into a belief about the game. Pure: no clock, no randomness, no picture."""
