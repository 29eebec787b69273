"""The command line: one module for each family of commands. Reads arguments, calls one function of the program, prints.

Decides nothing about a game, and nothing imports it.
"""
