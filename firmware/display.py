"""Four characters as seven-segment patterns: bit 0 is segment a (top), clockwise to f, bit 6 is g (middle)."""

_GLYPHS = {
    " ": 0x00,
    "-": 0x40,
    "0": 0x3F,
    "1": 0x06,
    "2": 0x5B,
    "3": 0x4F,
    "4": 0x66,
    "5": 0x6D,
    "6": 0x7D,
    "7": 0x07,
    "8": 0x7F,
    "9": 0x6F,
    "L": 0x38,
    "d": 0x5E,
    "H": 0x76,
    "o": 0x5C,
    "S": 0x6D,
    "t": 0x78,
    "E": 0x79,
    "r": 0x50,
}


def segments(text: bytes) -> bytes:
    """One pattern a character; a character without a pattern stays dark."""
    return bytes(_GLYPHS.get(chr(character), 0) for character in text)
