"""What the web page may ask of a running program: the operator's desk and the set-up. Draws nothing; the page itself is web/."""
