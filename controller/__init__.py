"""The referee: rules, tracking, refereeing, records and the panel; app/ wires one board, run/ starts it, cli/ is the door."""
