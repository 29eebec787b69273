"""What each lamp shows at a moment: rhythm and tint become brightness and colour. Integers only: a Pico has no FPU."""

from firmware import messages

# Colours apart for colour-blind people too (after Okabe and Ito): each also differs in place and rhythm.
PALETTE = (
    (0, 0, 0),
    (255, 190, 120),  # light's: warm white
    (40, 110, 255),  # dark's: blue
    (255, 50, 0),  # alarm: vermilion
    (255, 130, 0),  # cube: orange
    (0, 200, 90),  # goal: bluish green
    (180, 60, 160),  # source: purple
)

SLOW_MS = 1000
FAST_MS = 250
DOUBLE_MS = 1000
BREATHE_MS = 2000


def level(rhythm: int, now: int) -> int:
    """Brightness 0..255 of a rhythm at `now` (ms). An unknown rhythm is steady: better seen than lost."""
    if rhythm == messages.OFF:
        return 0
    if rhythm == messages.SLOW:
        return 255 if now % SLOW_MS < SLOW_MS // 2 else 0
    if rhythm == messages.FAST:
        return 255 if now % FAST_MS < FAST_MS // 2 else 0
    if rhythm == messages.DOUBLE:
        phase = now % DOUBLE_MS
        return 255 if phase < 100 or 200 <= phase < 300 else 0
    if rhythm == messages.BREATHE:
        phase = now % BREATHE_MS
        half = BREATHE_MS // 2
        return 30 + 225 * (phase if phase < half else BREATHE_MS - phase) // half
    return 255


def paint(codes: "bytes | bytearray", now: int, brightness: int, leds: "list[int]", pixels: bytearray) -> None:
    """Writes the colours of `codes` (one a lamp) into `pixels` (RGB, three bytes an LED) at the places in `leds`."""
    for place in range(len(pixels)):
        pixels[place] = 0
    for lamp in range(len(codes)):
        code = codes[lamp]
        led = leds[lamp]
        if not code or led < 0:
            continue
        strength = level(code >> 4, now) * brightness
        tint = code & 15
        red, green, blue = PALETTE[tint if tint < messages.TINTS else 0]
        # To the nearest: rounded down, some tints were dark at the least brightness.
        pixels[3 * led] = (red * strength + 32512) // 65025
        pixels[3 * led + 1] = (green * strength + 32512) // 65025
        pixels[3 * led + 2] = (blue * strength + 32512) // 65025
