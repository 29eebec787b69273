"""One-shot animations, told apart by shape and rhythm: a roll runs, a hit flashes the bar, a win fills the board, a turn
runs along the near row of the player whose it is."""

from firmware import messages

DURATION_MS = (0, 600, 900, 1000, 1200, 2400, 2400, 700, 700)

# (frequency Hz, from ms, to ms)
_TONES = (
    (),
    ((1500, 0, 40),),
    ((400, 0, 120), (300, 120, 300)),
    ((250, 0, 150), (250, 250, 400)),
    ((800, 0, 100), (1000, 150, 250), (1200, 300, 400)),
    ((600, 0, 150), (800, 200, 350), (1000, 400, 800)),
    ((600, 0, 150), (800, 200, 350), (1000, 400, 800)),
    ((1000, 0, 30),),
    ((700, 0, 30),),
)


def _code(rhythm: int, tint: int) -> int:
    return rhythm << 4 | tint


def overlay(cue: int, elapsed: int, codes: bytearray) -> None:
    """Paints the cue over the lamps' codes, `elapsed` ms after its start."""
    steady = messages.STEADY
    if cue == messages.ROLL:
        # Two lights run along both rows of points, from light's home end to the far end.
        column = elapsed * 12 // DURATION_MS[cue]
        for point in (column, 23 - column):
            codes[messages.POINTS + point] = _code(steady, messages.CUBE_TINT)
    elif cue == messages.HIT:
        lit = elapsed % 300 < 150
        for lamp in (messages.BAR_LIGHT, messages.BAR_DARK):
            codes[lamp] = _code(steady, messages.ALARM_TINT) if lit else 0
    elif cue == messages.MISTAKE:
        # Every point flashes twice together, whatever it showed before.
        lit = elapsed < 200 or 400 <= elapsed < 600
        for lamp in range(24):
            codes[messages.POINTS + lamp] = _code(steady, messages.ALARM_TINT) if lit else 0
        codes[messages.ERROR] = _code(steady, messages.ALARM_TINT)
    elif cue == messages.OFFERED:
        # The cube lamps climb, twice.
        step = elapsed * 12 // DURATION_MS[cue] % 6
        for lamp in range(6):
            codes[messages.CUBE + lamp] = _code(steady, messages.CUBE_TINT) if lamp <= step else 0
    elif cue in (messages.WON_LIGHT, messages.WON_DARK):
        # The board fills from the winner's first point.
        light = cue == messages.WON_LIGHT
        filled = elapsed * 24 // 1600
        tint = messages.LIGHT_TINT if light else messages.DARK_TINT
        for step in range(24):
            lamp = step if light else 23 - step
            codes[messages.POINTS + lamp] = _code(steady, tint) if step <= filled else 0
    elif cue in (messages.TURN_NOW_LIGHT, messages.TURN_NOW_DARK):
        # Three lamps in a row run along the player's own half: light's points 1 to 12, dark's 1 to 12 (light's 24 to 13).
        light = cue == messages.TURN_NOW_LIGHT
        head = elapsed * 14 // DURATION_MS[cue]
        for step in range(max(0, head - 2), min(12, head + 1)):
            lamp = step if light else 23 - step
            codes[messages.POINTS + lamp] = _code(steady, messages.LIGHT_TINT if light else messages.DARK_TINT)


def tone(cue: int, elapsed: int) -> int:
    """The buzzer's frequency in Hz at `elapsed` ms of a cue, 0 for silence."""
    for frequency, start, end in _TONES[cue]:
        if start <= elapsed < end:
            return frequency
    return 0
