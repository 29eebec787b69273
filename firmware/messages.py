"""What the frames say: kinds, field layouts (struct, little-endian) and codes. PROTOCOL.md explains them."""

PROTOCOL = 1
FIRMWARE = (1, 1, 2)

# Host to controller.
HELLO = 0x01
STATE = 0x02
PING = 0x03
EVENT_ACK = 0x04
# Controller to host.
WELCOME = 0x81
STATE_ACK = 0x82
PONG = 0x83
EVENT = 0x84
REFUSED = 0x8F

HELLO_FIELDS = "<BI"  # protocol, host id
STATE_FIELDS = "<IIBBBB4s"  # host id, state id, brightness, flags, cue, cue number, display text; then one code a lamp
PING_FIELDS = "<I"  # host id
EVENT_ACK_FIELDS = "<IIH"  # host id, boot id, event number
WELCOME_FIELDS = "<BBBBBBHI"  # protocol, answer, firmware major minor patch, lamps, power budget mA, boot id
STATE_ACK_FIELDS = "<I"  # state id now shown
PONG_FIELDS = "<IIHHHHBBH"  # state id, uptime s, good, bad, oversize, events lost, buttons held, stuck, mA
EVENT_FIELDS = "<IHBI"  # boot id, event number, button, age ms
REFUSED_FIELDS = "<BB"  # kind refused, reason

# WELCOME's answers.
ACCEPTED = 0
WRONG_PROTOCOL = 1
BUSY = 2

# REFUSED's reasons.
UNKNOWN_KIND = 1
BAD_PAYLOAD = 2
SAY_HELLO = 3

FLAG_SOUND = 1

# One code a lamp: rhythm in the high four bits, tint in the low four; 0 is dark.
OFF = 0
STEADY = 1
SLOW = 2
FAST = 3
DOUBLE = 4
BREATHE = 5
RHYTHMS = 6

LIGHT_TINT = 1
DARK_TINT = 2
ALARM_TINT = 3
CUBE_TINT = 4
GOAL_TINT = 5
SOURCE_TINT = 6
TINTS = 7

# The lamps' places in STATE.
POINTS = 0  # 24 lamps, light's point 1 first
BAR_LIGHT = 24
BAR_DARK = 25
TURN_LIGHT = 26
TURN_DARK = 27
ERROR = 28
CUBE = 29  # six lamps: 2, 4, 8, 16, 32, 64
LAMPS = 35

# One-shot animations.
NO_CUE = 0
ROLL = 1
HIT = 2
MISTAKE = 3
OFFERED = 4
WON_LIGHT = 5
WON_DARK = 6
TURN_NOW_LIGHT = 7
TURN_NOW_DARK = 8
CUES = 9

# Buttons.
CLOCK_LIGHT = 0
CLOCK_DARK = 1
CUBE_BUTTON = 2
UNDO = 3
BUTTONS = 4
