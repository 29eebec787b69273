"""What one still picture says to players: a position, its XGID, its doubts. Knows no game before or after it."""
