"""What the simulated table raises when it is asked for what it does not have."""

from controller.errors import ControllerError


class SimulationError(ControllerError):
    """One sentence for the person who asked."""
