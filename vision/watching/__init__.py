"""One camera over time: does it still stand where it stood, is the board still, when is it read.

Nothing here knows a rule of play.
"""
