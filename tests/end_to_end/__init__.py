"""The whole program: a simulated table in, journal, page, lamps and records out; and the process killed and started again."""
