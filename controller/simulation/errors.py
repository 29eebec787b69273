"""What the simulated table raises when it is asked for what it does not have."""


class SimulationError(ValueError):
    """One sentence for the person who asked."""
