"""Attacks on the running program from outside: HTTP, files, signals, limits of the system. benchmarks/attacks.py runs them."""
