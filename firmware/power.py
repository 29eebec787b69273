"""Keeps the strip inside its power budget: estimates the current of a frame and dims all of it where it is too much."""

# WS2812B: about 20 mA for each of the three colours at full brightness (the upper end of data sheets), about 1 mA idle.
CHANNEL_MA = 20
IDLE_MA = 1


def current(pixels: "bytes | bytearray") -> int:
    """Milliamperes that a frame draws, rounded up. pixels: three bytes 0..255 an LED."""
    return len(pixels) // 3 * IDLE_MA + (sum(pixels) * CHANNEL_MA + 254) // 255


def limit(pixels: bytearray, budget_ma: int) -> int:
    """Dims `pixels` in place until they fit into budget_ma; gives the milliamperes that are then drawn.

    The idle current of the LEDs cannot be dimmed away, which is why settings refuses a budget below it.
    """
    wanted = current(pixels)
    if wanted <= budget_ma:
        return wanted
    room = max(0, budget_ma - len(pixels) // 3 * IDLE_MA) * 255
    draw = sum(pixels) * CHANNEL_MA
    for place in range(len(pixels)):
        pixels[place] = pixels[place] * room // draw
    return current(pixels)
