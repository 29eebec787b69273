"""Vision: sources, pictures, motion, reading."""
