"""One board's live program: frames and commands in, journalled events out, views and lamps shown.

Starts no thread and reads no setting.
"""
