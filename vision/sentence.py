"""A sentence for people that can be said in other languages: what vision and controller raise, say and show."""

from __future__ import annotations


class Sentence(str):
    """A sentence or two in English that knows what it was made of, so that it can be said in other languages.

        Sentence("{name} gives no picture.", name="camera:0")   # 'camera:0 gives no picture.'

    code: its text with {places}, under which the catalogues have it; values: what stands in them, perhaps sentences too, or a tuple
    of them.
    """

    code: str
    values: dict[str, object]

    def __new__(cls, code: str, /, **values: object) -> Sentence:
        if isinstance(code, Sentence) and not values:
            return code
        shown = {name: ", ".join(map(str, v)) if isinstance(v, tuple) else v for name, v in values.items()}
        made = super().__new__(cls, code.format_map(shown) if shown else code)
        made.code, made.values = str(code), values
        return made

    def followed_by(self, *more: str) -> Sentence:
        """All of them, one after the other."""
        return (
            Sentence("{first} {second}", first=self, second=Sentence(more[0]).followed_by(*more[1:])) if more else self
        )
