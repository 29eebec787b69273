"""Fuses observations with legal plays into a belief about the game.

Pure: no clock, no randomness, no file; of pictures only which columns changed in them.
"""
