"""What the lamps show, and the adapters that show it: simulated, header pins, and the serial line to the lamp controller.

Knows sides, cube and points; no legal play, journal or page. Each hardware library is imported by one adapter alone.
"""
