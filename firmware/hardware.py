"""The Pico's pins, and nothing else: USB or UART, WS2812 strip on PIO, four buttons, TM1637 display, buzzer."""
# ruff: noqa: F821 - rp2.asm_pio supplies the names of the PIO assembler
# The modules of MicroPython have no stubs here.
# mypy: ignore-errors

import array
import os
import select
import sys
import time

import machine
import rp2
from machine import Pin

from firmware import settings

UART_TX, UART_RX = 0, 1
BUTTON_PINS = (2, 3, 4, 5)
DISPLAY_CLOCK, DISPLAY_DATA = 6, 7
BUZZER_PIN = 8
STRIP_PIN = 16
WATCHDOG_MS = 2000
UART_BAUD = 115200
# Left by a start that is to wait for new files. The watchdog cannot be stopped once it runs, so updating needs a fresh start.
UPDATE_FLAG = "update"
UPDATE_WAIT_S = 30


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=24)
def _ws2812():
    # 10 cycles of 125 ns a bit: high for 2 cycles (0) or 7 (1), then low.
    wrap_target()
    label("bit")
    out(x, 1).side(0)[2]
    jmp(not_x, "zero").side(1)[1]
    jmp("bit").side(1)[4]
    label("zero")
    nop().side(0)[4]
    wrap()


def restart_for_update() -> None:
    """Restarts into wait_for_update()."""
    open(UPDATE_FLAG, "w").close()
    machine.reset()


def update_wanted() -> bool:
    """Whether this start is to wait for new files; asking clears the wish, so that the next start is a usual one."""
    try:
        os.remove(UPDATE_FLAG)
    except OSError:
        return False
    return True


def wait_for_update() -> None:
    """Leaves the line to mpremote, whose Ctrl-C ends in the prompt; starts anew where nobody comes."""
    print("waiting for new files")
    time.sleep(UPDATE_WAIT_S)
    machine.reset()


class _Uart:
    def __init__(self) -> None:
        self._uart = machine.UART(0, UART_BAUD, tx=Pin(UART_TX), rx=Pin(UART_RX), rxbuf=512, txbuf=512)

    def read(self) -> bytes:
        waiting = self._uart.any()
        return (self._uart.read(waiting) or b"") if waiting else b""

    def write(self, data: bytes) -> None:
        self._uart.write(data)


class _Usb:
    """The USB serial line, which is the REPL's too. Frames never carry Ctrl-C, with which mpremote asks for an update."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def read(self) -> bytes:
        data = b""
        while len(data) < 256 and self._poll.poll(0):
            data += sys.stdin.buffer.read(1)
        return data

    def write(self, data: bytes) -> None:
        sys.stdout.buffer.write(data)


class _Display:
    """TM1637: two wires, bit-banged, least significant bit first; acknowledgements are clocked but not read."""

    def __init__(self) -> None:
        self._clock = Pin(DISPLAY_CLOCK, Pin.OUT, value=1)
        self._data = Pin(DISPLAY_DATA, Pin.OUT, value=1)

    def _send(self, data: bytes) -> None:
        clock, line = self._clock, self._data
        line.value(0)
        for byte in data:
            for bit in range(8):
                clock.value(0)
                line.value(byte >> bit & 1)
                clock.value(1)
            clock.value(0)
            line.value(0)
            clock.value(1)
        clock.value(0)
        line.value(0)
        clock.value(1)
        line.value(1)

    def show(self, patterns: bytes) -> None:
        self._send(b"\x40")
        self._send(b"\xc0" + patterns)
        self._send(b"\x8a")


class Pico:
    """One board's hardware. boot_id is random at every start."""

    def __init__(self, config: settings.Settings) -> None:
        self.boot_id = int.from_bytes(os.urandom(4), "little") or 1
        self._line = _Uart() if config.port == "uart" else _Usb()
        self._strip = rp2.StateMachine(0, _ws2812, freq=8_000_000, sideset_base=Pin(STRIP_PIN))
        self._strip.active(1)
        self._words = array.array("I", [0] * config.led_count)
        self._buttons = [Pin(pin, Pin.IN, Pin.PULL_UP) for pin in BUTTON_PINS]
        self._display = _Display()
        self._patterns = b""
        self._buzzer = machine.PWM(Pin(BUZZER_PIN))
        self._buzzer.duty_u16(0)
        self._tone = 0
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def now(self) -> int:
        return time.ticks_ms()

    def read(self) -> bytes:
        return self._line.read()

    def write(self, data: bytes) -> None:
        if data:
            self._line.write(data)

    def contacts(self) -> int:
        mask = 0
        for button, pin in enumerate(self._buttons):
            if not pin.value():
                mask |= 1 << button
        return mask

    def show(self, pixels: bytearray) -> None:
        words = self._words
        for led in range(len(words)):
            place = 3 * led
            words[led] = pixels[place + 1] << 16 | pixels[place] << 8 | pixels[place + 2]
        self._strip.put(words, 8)

    def display(self, patterns: bytes) -> None:
        if patterns != self._patterns:
            self._patterns = patterns
            self._display.show(patterns)

    def buzz(self, frequency: int) -> None:
        if frequency == self._tone:
            return
        self._tone = frequency
        if frequency:
            self._buzzer.freq(frequency)
        self._buzzer.duty_u16(32768 if frequency else 0)

    def rest(self) -> None:
        """Tells the watchdog that the loop lives, and leaves the processor alone for a moment."""
        self._watchdog.feed()
        time.sleep_ms(2)
