"""From a frame to an observation. Knows a board's shape; knows no rule of play."""
