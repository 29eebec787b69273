"""`vrhcab transcribe`: a recording in, a record and its report out. Nothing here runs live."""
