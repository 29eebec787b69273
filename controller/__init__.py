"""The referee: rules, tracking, refereeing, records and the panel, wired together in app.py."""
