"""How a board and its picture lie to each other: geometry, rectified pictures, what changed on them.

Nothing here reads checkers, dice or cube.
"""
