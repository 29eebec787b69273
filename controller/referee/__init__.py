"""Events, the turn state machine, and what the referee says. Pure: writes nothing, reads no clock."""
