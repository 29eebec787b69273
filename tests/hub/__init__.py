"""The hub with a real broker and a real database; skipped where the machine has none."""
