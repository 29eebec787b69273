"""Positions, dice, legal plays, verdicts, cube, scoring and notation: pure, standard library only."""
