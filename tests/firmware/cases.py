"""Cases of the controller's core, run by CPython and by a real MicroPython: plain functions and asserts, no pytest."""

import json
import struct

from firmware import buttons, core, cues, display, frames, lamps, messages, power, settings, ticks

HOST = 0x11223344
BOOT = 0xA1B2C3D4


def vectors():
    with open("firmware/vectors.json") as file:
        return json.loads(file.read())


def controller(now=0, config=None):
    return core.Controller(config or settings.Settings(), BOOT, now)


def answers(out):
    return frames.Reader().feed(out)


def hello(board, now=0, host=HOST, protocol=messages.PROTOCOL):
    out = board.step(now, frames.encode(messages.HELLO, 1, struct.pack(messages.HELLO_FIELDS, protocol, host)), 0)
    kind, _, payload = answers(out)[0]
    assert kind == messages.WELCOME
    return payload[1]


def state(number, codes=None, host=HOST, brightness=255, cue=0, cue_number=0, text=b" 64 ", sound=0):
    head = struct.pack(messages.STATE_FIELDS, host, number, brightness, sound, cue, cue_number, text)
    return frames.encode(messages.STATE, number & 255, head + bytes(codes or bytearray(messages.LAMPS)))


def shown_id(out):
    for kind, _, payload in answers(out):
        if kind == messages.STATE_ACK:
            return struct.unpack(messages.STATE_ACK_FIELDS, payload)[0]
    return None


def ping(host=HOST):
    return frames.encode(messages.PING, 5, struct.pack(messages.PING_FIELDS, host))


def report(board, now, contacts):
    """The fields of PONG."""
    for kind, _, payload in answers(board.step(now, ping(), contacts)):
        if kind == messages.PONG:
            return struct.unpack(messages.PONG_FIELDS, payload)
    raise AssertionError("no PONG")


def ack(number, boot=BOOT):
    return frames.encode(messages.EVENT_ACK, 6, struct.pack(messages.EVENT_ACK_FIELDS, HOST, boot, number))


def events(out):
    return [struct.unpack(messages.EVENT_FIELDS, p) for kind, _, p in answers(out) if kind == messages.EVENT]


def with_lamp(lamp, code):
    codes = bytearray(messages.LAMPS)
    codes[lamp] = code
    return codes


def case_ticks_wrap():
    assert ticks.since(5, 3) == 2
    assert ticks.since(3, 5) == -2
    assert ticks.since(1, ticks.PERIOD - 1) == 2
    assert ticks.since(ticks.PERIOD - 1, 1) == -2


def case_vectors_are_written_and_read():
    for vector in vectors()["good"]:
        payload = bytes(int(vector["payload"][i : i + 2], 16) for i in range(0, len(vector["payload"]), 2))
        wire = vector["wire"].encode()
        assert frames.encode(vector["kind"], vector["seq"], payload) == wire, vector["name"]
        assert frames.Reader().feed(wire) == [(vector["kind"], vector["seq"], payload)], vector["name"]


def case_wrong_lines_are_counted_and_dropped():
    for vector in vectors()["bad"]:
        reader = frames.Reader()
        assert reader.feed(vector["wire"].encode()) == [], vector["name"]
        assert reader.bad == 1, vector["name"]


def case_every_single_bit_flip_is_detected():
    wire = vectors()["good"][3]["wire"].encode()
    good = frames.Reader().feed(wire)
    for place in range(len(wire) - 1):
        for bit in range(8):
            flipped = bytearray(wire)
            flipped[place] ^= 1 << bit
            assert frames.Reader().feed(bytes(flipped) + wire) == good, (place, bit)


def case_oversize_is_skipped_to_the_next_line():
    reader = frames.Reader()
    for _ in range(10):
        assert reader.feed(b"x" * 100) == []
    assert reader.oversize == 1
    assert len(reader.feed(b"x" + vectors()["good"][0]["wire"].encode())) == 1


def case_a_host_is_accepted_and_another_is_busy_until_the_first_is_silent():
    board = controller()
    assert hello(board, 0) == messages.ACCEPTED
    assert hello(board, 1000, host=99) == messages.BUSY
    board.step(1501, b"", 0)
    assert hello(board, 1501, host=99) == messages.ACCEPTED
    refused = answers(board.step(1502, ping(), 0))[0]
    assert (refused[0], refused[2]) == (messages.REFUSED, bytes((messages.PING, messages.SAY_HELLO)))


def case_another_protocol_is_refused_and_changes_nothing():
    board = controller()
    assert hello(board, protocol=2) == messages.WRONG_PROTOCOL
    assert board.lost
    longer = frames.encode(messages.HELLO, 1, b"\x02" + bytes(20))
    assert answers(board.step(0, longer, 0))[0][2][1] == messages.WRONG_PROTOCOL


def case_states_before_a_greeting_are_refused():
    board = controller()
    refused = answers(board.step(0, state(1), 0))[0]
    assert (refused[0], refused[2]) == (messages.REFUSED, bytes((messages.STATE, messages.SAY_HELLO)))


def case_unknown_kinds_and_wrong_lengths_are_refused():
    board = controller()
    hello(board)
    for frame, reason in (
        (frames.encode(0x55, 1, b""), messages.UNKNOWN_KIND),
        (frames.encode(messages.STATE, 1, struct.pack("<I", HOST)), messages.BAD_PAYLOAD),
        (frames.encode(messages.PING, 1, b"12"), messages.BAD_PAYLOAD),
        (frames.encode(messages.EVENT_ACK, 1, struct.pack("<I", HOST)), messages.BAD_PAYLOAD),
    ):
        kind, _, payload = answers(board.step(1, frame, 0))[0]
        assert (kind, payload[1]) == (messages.REFUSED, reason)


def case_the_latest_state_wins_whatever_the_order():
    board = controller()
    hello(board)
    assert shown_id(board.step(1, state(10, with_lamp(messages.ERROR, 0x13)), 0)) == 10
    assert shown_id(board.step(2, state(9), 0)) == 10
    assert shown_id(board.step(3, state(10), 0)) == 10
    assert board.shown(3)[messages.ERROR] == 0x13
    assert shown_id(board.step(4, state(11), 0)) == 11
    assert board.shown(4)[messages.ERROR] == 0


def case_state_ids_wrap():
    board = controller()
    hello(board)
    assert shown_id(board.step(1, state(0xFFFFFFFF), 0)) == 0xFFFFFFFF
    assert shown_id(board.step(2, state(1), 0)) == 1


def case_host_lost_shows_within_a_second_and_a_half_and_goes_with_the_first_word():
    board = controller()
    hello(board)
    board.step(0, state(1, with_lamp(messages.TURN_LIGHT, 0x11), text=b"L  2"), 0)
    board.step(1500, b"", 0)
    assert not board.lost
    board.step(1501, b"", 0)
    assert board.lost
    assert board.segments() == display.segments(b"HoSt")
    first = board.shown(2000)
    second = board.shown(2500)
    assert first != second
    assert sum(1 for code in first if code) == sum(1 for code in second if code) == 1
    board.step(2600, ping(), 0)
    assert not board.lost
    assert board.shown(2600)[messages.TURN_LIGHT] == 0x11
    assert board.segments() == display.segments(b"L  2")


def case_silence_across_the_wrap_of_the_clock():
    start = ticks.PERIOD - 700
    board = controller(start)
    hello(board, start)
    board.step(ticks.PERIOD - 1, b"", 0)
    board.step(800, b"", 0)
    assert not board.lost
    board.step(801, b"", 0)
    assert board.lost


def case_the_self_test_lights_every_lamp_once():
    board = controller(100)
    seen = set()
    for now in range(100, 100 + core.SELF_TEST_MS):
        lit = [lamp for lamp, code in enumerate(board.shown(now)) if code]
        assert len(lit) == 1
        seen.add(lit[0])
    assert seen == set(range(messages.LAMPS))
    assert board.segments() == display.segments(b"8888")
    board.step(100 + core.SELF_TEST_MS, b"", 0)
    assert board.segments() == display.segments(b"HoSt")


def case_a_bouncing_press_is_one_event():
    contacts = buttons.Contacts()
    pressed = []
    for now, closed in enumerate([1, 0, 1, 1, 0, 1, 0, 0, 1] + [1] * 30 + [0, 1, 0, 1] + [0] * 30):
        pressed += contacts.update(now, closed)
    assert pressed == [0]


def case_a_glitch_is_no_press():
    contacts = buttons.Contacts()
    pressed = []
    for now in range(100):
        pressed += contacts.update(now, 4 if now in (10, 11, 12, 50) else 0)
    assert pressed == []


def case_two_buttons_at_once_are_two_presses():
    contacts = buttons.Contacts()
    pressed = []
    for now in range(40):
        pressed += contacts.update(now, 0b1001)
    assert pressed == [0, 3]


def case_a_stuck_button_is_named_and_gives_one_press():
    board = controller()
    hello(board)
    count = 0
    for now in range(0, 12000, 5):
        out = board.step(now, ping() if now % 500 == 0 else b"", 1 << messages.UNDO)
        for _, number, _, _ in events(out):
            count += 1
            board.step(now, ack(number), 1 << messages.UNDO)
    assert count == 1
    assert report(board, 12000, 8)[6:8] == (8, 8)
    for now in range(12001, 12050):
        board.step(now, b"", 0)
    assert board.contacts.stuck == 0


def case_a_button_that_is_held_at_the_start_counts_once_it_was_let_go():
    undo = 1 << messages.UNDO
    board = core.Controller(settings.Settings(), BOOT, ticks.PERIOD - 50, undo)
    hello(board, ticks.PERIOD - 50)
    out = b""
    for now in range(ticks.PERIOD - 45, ticks.PERIOD + 12000, 5):
        out += board.step(now % ticks.PERIOD, ping(), undo)
    assert events(out) == []
    assert board.contacts.stuck == undo
    assert [event[2] for event in press(board, 13000, messages.UNDO)] == []  # it is still down
    board.step(13100, ping(), 0)
    assert [event[2] for event in press(board, 13200, messages.UNDO)] == [messages.UNDO]


def press(board, now, button=0):
    out = b""
    for step in range(buttons.DEBOUNCE_MS + 2):
        out += board.step(now + step, b"", 1 << button)
    for step in range(buttons.DEBOUNCE_MS + 2):
        out += board.step(now + 20 + step, b"", 0)
    return events(out)


def drain(board, now):
    """(number, button) of every press that comes while each is acknowledged."""
    got = []
    for step in range(buttons.QUEUE + 5):
        for _, number, button, _ in events(board.step(now + step, ack(got[-1][0]) if got else b"", 0)):
            got.append((number, button))
    return got


def case_an_event_is_repeated_until_acknowledged():
    board = controller()
    hello(board)
    assert press(board, 0, 2) == [(BOOT, 1, 2, 0)]
    assert events(board.step(60, b"", 0)) == []
    again = events(board.step(120, b"", 0))
    assert [(event[1], event[2]) for event in again] == [(1, 2)]
    assert again[0][3] >= 100
    assert events(board.step(130, ack(7) + ack(1, boot=1), 0)) == []
    assert len(events(board.step(220, b"", 0))) == 1
    board.step(230, ack(1), 0)
    assert events(board.step(400, ack(1), 0)) == []


def case_presses_without_a_host_wait_and_come_in_order():
    board = controller()
    for turn in range(3):
        assert press(board, 100 * turn, turn) == []
    hello(board, 400)
    assert drain(board, 500) == [(1, 0), (2, 1), (3, 2)]


def later(board, now, days):
    """Lets the board wait that long from `now` on, alone; gives the ticks then."""
    end = now + days * 86400000
    while now < end:
        now = min(end, now + 600000)
        board.step(now % ticks.PERIOD, b"", 0)
    return now % ticks.PERIOD


def case_a_press_that_has_waited_for_days_is_old_and_holds_up_no_other():
    for heard in (True, False):
        for days in (1, 7, 12, 13):
            board = controller()
            if heard:
                hello(board)
            press(board, 0, messages.UNDO)
            now = later(board, 100, days)
            hello(board, now)
            press(board, now + 100, messages.CLOCK_LIGHT)
            now += 300
            sent = events(board.step(now % ticks.PERIOD, ping(), 0))
            assert [(event[1], event[2]) for event in sent] == [(1, messages.UNDO)]
            assert 3600000 <= sent[0][3] <= 2 * 3600000
            sent = events(board.step((now + 5) % ticks.PERIOD, ack(1), 0))
            assert [(event[1], event[2]) for event in sent] == [(2, messages.CLOCK_LIGHT)]
            assert sent[0][3] < 1000


def case_an_overflowing_queue_drops_the_newest_and_counts_them():
    board = controller()
    for turn in range(buttons.QUEUE + 5):
        press(board, 100 * turn)
    assert board.outbox.lost == 5
    now = 100 * (buttons.QUEUE + 5)
    hello(board, now)
    assert [number for number, _ in drain(board, now + 100)] == list(range(1, buttons.QUEUE + 1))
    after = press(board, now + 1000)
    assert after[0][1] == buttons.QUEUE + 6


def case_event_numbers_wrap():
    outbox = buttons.PressQueue()
    for number in range(1, buttons.NUMBERS):
        outbox.add(0, 0)
        outbox.acknowledge(number)
    outbox.add(0, 1)
    assert outbox.due(0) == (0, 1, 0)
    outbox.acknowledge(0)
    assert outbox.due(1000) is None
    outbox.add(0, 2)
    assert outbox.due(1000) == (1, 2, 1000)


def case_the_power_budget_is_never_exceeded():
    for budget in (35, 36, 100, 350, 700, 10000):
        for value in (1, 7, 128, 255):
            pixels = bytearray([value] * 105)
            drawn = power.limit(pixels, budget)
            assert drawn == power.current(pixels)
            assert drawn <= budget, (budget, value, drawn)
    pixels = bytearray([10] * 105)
    power.limit(pixels, 10000)
    assert pixels == bytearray([10] * 105)


def case_a_frame_keeps_to_the_budget_and_reports_it():
    board = controller(config=settings.Settings(budget_ma=120))
    hello(board)
    board.step(1, state(1, bytearray([0x11] * messages.LAMPS)), 0)
    pixels = board.frame(1)
    assert power.current(pixels) <= 120
    assert report(board, 2, 0)[8] == power.current(pixels)
    assert power.current(pixels) > 100


def case_a_new_state_is_painted_at_once_and_else_fifty_times_a_second():
    board = controller()
    hello(board)
    assert board.frame(0) is not None
    assert board.frame(1) is None
    board.step(2, state(1), 0)
    assert board.frame(2) is not None
    assert [now for now in range(3, 63) if board.frame(now) is not None] == [22, 42, 62]


def case_lamps_lie_on_the_strip_where_the_settings_say():
    places = [-1] * messages.LAMPS
    places[messages.ERROR] = 1
    board = controller(config=settings.Settings(led_count=2, leds=places, budget_ma=100))
    hello(board)
    codes = with_lamp(messages.ERROR, messages.STEADY << 4 | messages.ALARM_TINT)
    codes[0] = 0x11
    board.step(1, state(1, codes), 0)
    assert bytes(board.frame(1)) == bytes((0, 0, 0)) + bytes(lamps.PALETTE[messages.ALARM_TINT])


def case_every_tint_is_lit_at_every_brightness():
    for tint in range(1, messages.TINTS):
        codes = with_lamp(messages.ERROR, messages.STEADY << 4 | tint)
        for brightness in range(1, 256):
            pixels = bytearray(3 * messages.LAMPS)
            lamps.paint(codes, 0, brightness, list(range(messages.LAMPS)), pixels)
            assert any(pixels), (tint, brightness)


def case_rhythms_are_told_apart_without_colour():
    patterns = set()
    for rhythm in range(1, messages.RHYTHMS):
        patterns.add(bytes(lamps.level(rhythm, now) for now in range(0, 2000, 25)))
    assert len(patterns) == messages.RHYTHMS - 1
    assert lamps.level(messages.OFF, 0) == 0


def case_an_unknown_code_is_seen_not_crashed_on():
    pixels = bytearray(3)
    lamps.paint(b"\xff", 0, 255, [0], pixels)
    assert lamps.level(15, 0) == 255


def case_a_cue_plays_once_and_the_state_stays():
    board = controller()
    hello(board)
    board.step(1, state(1, cue=messages.HIT, cue_number=7), 0)
    assert not any(board.shown(2)), "the first state plays nothing"
    board.step(10, state(2, cue=messages.HIT, cue_number=8), 0)
    assert board.shown(20)[messages.BAR_LIGHT]
    board.step(30, state(2, cue=messages.HIT, cue_number=8), 0)
    assert not any(board.shown(10 + cues.DURATION_MS[messages.HIT]))
    assert not any(board.shown(40))


def case_what_happened_while_the_line_was_lost_is_not_played_when_it_is_back():
    board = controller()
    hello(board)
    board.step(1, state(1, cue=messages.ROLL, cue_number=1), 0)
    board.step(5000, b"", 0)
    assert board.lost
    hello(board, 60000)
    board.step(60010, state(2, cue=messages.WON_LIGHT, cue_number=2), 0)
    assert not any(board.shown(60020))
    board.step(60100, state(3, cue=messages.HIT, cue_number=3), 0)
    assert board.shown(60110)[messages.BAR_LIGHT]


def case_cues_differ_in_shape():
    shapes = set()
    for cue in range(1, messages.CUES):
        shape = b""
        for elapsed in range(0, cues.DURATION_MS[cue], 50):
            codes = bytearray(messages.LAMPS)
            cues.overlay(cue, elapsed, codes)
            shape += bytes(1 if code else 0 for code in codes)
        shapes.add(shape)
    assert len(shapes) == messages.CUES - 1


def case_the_buzzer_sounds_only_when_allowed():
    for sound, heard in ((0, False), (messages.FLAG_SOUND, True)):
        board = controller()
        hello(board)
        board.step(1, state(1), 0)
        board.step(2, state(2, cue=messages.WON_DARK, cue_number=1, sound=sound), 0)
        assert any(board.tone(now) for now in range(2, 900, 10)) == heard


def refusal(text):
    """The sentence with which settings.json's text is refused, "" where it is not."""
    try:
        settings.read(text)
    except ValueError as problem:
        return str(problem)
    return ""


def case_settings_are_checked():
    assert settings.read('{"led_count": 40, "port": "uart"}').led_count == 40
    for text in (
        '{"leds": [1]}',
        '{"led_count": 0}',
        '{"budget_ma": 34}',
        '{"port": "wifi"}',
        '{"colour": 1}',
        '{"led_count": 10}',
        '{"led_count": "40"}',
        '{"led_count": 40.0}',
        '{"led_count": true}',
        '{"budget_ma": 350.5}',
        '{"leds": 35}',
        '{"leds": [' + ", ".join(["1.0"] * messages.LAMPS) + "]}",
        "[]",
        "35",
        "null",
        '"led_count"',
    ):
        assert refusal(text), text


def case_the_display_writes_what_it_has_glyphs_for():
    assert display.segments(b"L  2") == bytes((0x38, 0, 0, 0x5B))
    assert display.segments(b"\xff") == b"\x00"


def case_time_is_counted_across_the_wrap():
    board = controller(ticks.PERIOD - 500)
    for step in range(1, 30):
        board.step((ticks.PERIOD - 500 + 100 * step) % ticks.PERIOD, b"", 0)
    assert board.uptime == 2


CASES = sorted((name, case) for name, case in globals().items() if name.startswith("case_"))
