"""Draws training boards and trains the networks in vision/weights; needs the `train` extra.

No part of the program imports it, and it is not installed with it.
"""
