"""Tests mirror the packages; the whole program runs in tests/end_to_end."""
