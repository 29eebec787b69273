"""Draws training boards and trains the networks in vision/weights; needs the `train` extra."""
