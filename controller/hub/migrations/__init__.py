"""The schema of the hub's database, one file a version, in the order of their names; store.py applies what is missing."""
