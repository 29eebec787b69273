"""`vrhcab doctor`: looks at everything that a game at a table needs, and says what to do about what is wrong.

Changes nothing on the machine, and starts no game.
"""
