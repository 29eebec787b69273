"""The simulated table: players, board and camera, seeded; shares no code with what reads it."""
