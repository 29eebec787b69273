"""Pictures and corners from files, bytes and text, checked on the way in. Nothing here knows what a board is."""
