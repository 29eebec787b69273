"""A tournament at the hub: its players, who meets whom, at which board, and how they stand.

Drawing and ranking are pure (draw.py, standings.py, lists.py). ledger.py keeps all of it in the database, seating.py brings it
to the boards, pages.py shows it.
"""
