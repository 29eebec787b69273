"""The live page: draws the view it is given, sends commands back. Knows no rule of play."""
