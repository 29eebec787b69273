"""Many boards in one hall: takes their journals in from an MQTT broker (Eclipse Mosquitto), keeps them in PostgreSQL, shows all of
them on one wall.

It knows no camera. What a board's events mean is the referee's own fold, and what is drawn of it the board's own page.
Installed with `pip install 'vrhcab[hub]'`; docs/hub.md is for whoever runs one.
"""
