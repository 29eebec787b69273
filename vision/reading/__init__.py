"""From a picture whose board is known to what lies on it: checkers, bar, dice, cube.

Nothing here seeks the board or watches time pass.
"""
