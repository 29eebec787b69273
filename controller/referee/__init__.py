"""Events, the turn state machine, and what the referee says."""
