"""Tests of the simulated table."""
