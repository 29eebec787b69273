"""What differs from one board to the next: the strip's length and order, the power budget, the link's port."""

import json

from firmware import messages


class Settings:
    """led_count: LEDs on the strip. leds: for each lamp of STATE its place on the strip, -1 for none.

    budget_ma: what the strip may draw, in mA, at most. port: "usb" or "uart".
    Raises ValueError with a sentence where a setting is unknown or cannot be.
    """

    def __init__(
        self,
        led_count: int = messages.LAMPS,
        leds: "list[int] | None" = None,
        budget_ma: int = 350,
        port: str = "usb",
    ) -> None:
        places = list(range(messages.LAMPS)) if leds is None else leds
        for name, number in (("led_count", led_count), ("budget_ma", budget_ma)):
            if not _whole(number):
                raise ValueError(f"{name} must be a whole number, not {number!r}")
        if not isinstance(places, list) or not all(_whole(place) for place in places):
            raise ValueError(f"leds must be a list of {messages.LAMPS} whole numbers")
        if not 1 <= led_count <= 300:
            raise ValueError(f"led_count must be 1 to 300, not {led_count}")
        if len(places) != messages.LAMPS or not all(-1 <= place < led_count for place in places):
            raise ValueError(f"leds must be {messages.LAMPS} places of -1 to {led_count - 1}")
        if not led_count <= budget_ma <= 10000:
            # The LEDs' idle current, 1 mA each, cannot be dimmed away.
            raise ValueError(f"budget_ma must be {led_count} to 10000, not {budget_ma}")
        if port not in ("usb", "uart"):
            raise ValueError(f"port must be usb or uart, not {port}")
        self.led_count = led_count
        self.leds = places
        self.budget_ma = budget_ma
        self.port = port


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def read(text: str) -> Settings:
    """The settings of a JSON object such as {"led_count": 35, "budget_ma": 350}; what is absent keeps its default."""
    given = json.loads(text)
    if not isinstance(given, dict):
        raise ValueError('it must be an object, such as {"led_count": 35}')
    for key in given:
        if key not in ("led_count", "leds", "budget_ma", "port"):
            raise ValueError(f"unknown setting {key}; there are led_count, leds, budget_ma, port")
    return Settings(**given)
