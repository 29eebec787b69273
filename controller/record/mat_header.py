"""The header lines of a transcript, '; [Key "value"]', to the fields of a record and back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from controller.record.model import Record, Seat
from controller.record.rule_words import rule_keys_in, rule_words
from controller.record.text import one_line
from controller.rules import RuleSetError

_TAG = re.compile(r'^\s*;\s*\[([^"\]]+)"(.*)"\s*(?:\]\s*)?$')
_DATE = re.compile(r"^(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})$")
_TIME = re.compile(r"^(\d{1,2})[.:](\d{2})$")
_VARIATIONS = {
    "backgammon": "standard",
    "nackgammon": "nackgammon",
    "hypergammon": "hypergammon",
    "hypergammon (3)": "hypergammon",
}
_SPELLED = {"standard": "Backgammon", "nackgammon": "NackGammon", "hypergammon": "HyperGammon (3)"}

TEXT_FIELDS = {
    "event": "Event",
    "round": "Round",
    "place": "Site",
    "transcriber": "Transcriber",
    "match_id": "Match ID",
    "clock": "ClockType",
    "rules": "Rules",
}
"""Field of Record: header key, as XG documents them; Rules is ours."""

RULE_KEYS = "RuleKeys"
"""Header key of the single rules over those that Rules names; ours, as that is."""

USUAL_SIZE, RULES_SIZE = 200, 3000
"""Characters of a header value at most; all the rules there are need two thousand."""

FLAG_FIELDS = {"crawford_rule": "Crawford", "jacoby": "Jacoby", "beavers": "Beaver"}

KEY_SIZE = 60

TAG_LIMIT = 200
"""More header lines than this are kept as no tags: no program writes forty."""


@dataclass
class Header:
    """Header lines read so far. tags: by key, as written; lines: where; remarks: other comment lines."""

    tags: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def remark(self, line: str) -> None:
        """Keep a line that is no tag as a comment on the match."""
        text = line.strip().lstrip(";").strip()
        if text and len(self.remarks) < TAG_LIMIT:
            self.remarks.append(text)

    def variation(self) -> str:
        """As Record names it; the usual one where the header is silent or names one that is not known here."""
        return _VARIATIONS.get(self.tags.get("Variation", "").strip().lower(), "standard")

    def strange_variation(self) -> str:
        """The name of a variation that is not known here, else empty."""
        name = self.tags.get("Variation", "").strip()
        return "" if name.lower() in _VARIATIONS else name

    def strange_rules(self) -> str:
        """Why the single rules can't be read; empty where they can."""
        try:
            self._rule_keys()
        except RuleSetError as error:
            return str(error)
        return ""

    def _rule_keys(self) -> dict[str, object]:
        return rule_keys_in(self.tags.get(TEXT_FIELDS["rules"], ""), self.tags.get(RULE_KEYS, ""))

    def player(self, number: int | None) -> str:
        """The name that "Player 1" or "Player 2" gives."""
        return self.tags.get(f"Player {number}", "")

    def tag_of_player(self, names: tuple[str, str], seat: Seat) -> int | None:
        """1 or 2: which of the two player tags speaks of this column; None where the names match neither way."""
        tags = (self.player(1), self.player(2))
        if tags == names or not any(names):
            return seat + 1
        if tags == (names[1], names[0]):
            return 2 - seat
        if names[seat] and names[seat] in tags:
            return tags.index(names[seat]) + 1
        if not names[seat] and names[1 - seat] in tags:
            return 2 - tags.index(names[1 - seat])
        return None

    def rating(self, number: int | None) -> tuple[float | None, int | None]:
        """Rating and experience from a tag such as '1687,32/1520'."""
        match = re.match(r"^(\d{1,5}(?:[.,]\d{1,4})?)(?:/(\d{1,9}))?$", self.tags.get(f"Player {number} Elo", ""))
        if not match:
            return None, None
        return float(match[1].replace(",", ".")), int(match[2]) if match[2] else None

    def about(self) -> dict[str, object]:
        """The fields of Record that the header gives; keys without a field stay in `tags`."""
        rest = dict(self.tags)
        about: dict[str, object] = {}
        for name, key in TEXT_FIELDS.items():
            if rest.get(key):
                about[name] = rest.pop(key)
        for name, key in FLAG_FIELDS.items():
            if rest.get(key, "").lower() in ("on", "off"):
                about[name] = rest.pop(key).lower() == "on"
        date, time = _DATE.match(rest.get("EventDate", "")), _TIME.match(rest.get("EventTime", ""))
        if date:
            about["date"] = f"{date[1]}-{int(date[2]):02}-{int(date[3]):02}"
            del rest["EventDate"]
        if time:
            about["time"] = f"{int(time[1]):02}:{time[2]}"
            del rest["EventTime"]
        variation = _VARIATIONS.get(rest.get("Variation", "").strip().lower())
        if variation:
            about["variation"] = variation
            del rest["Variation"]
        if rest.get(RULE_KEYS) and not self.strange_rules():
            about["rule_keys"] = self._rule_keys()
            del rest[RULE_KEYS]
        if re.match(r"^\d{1,9}$", rest.get("CubeLimit", "")) and int(rest["CubeLimit"]) > 0:
            about["cube_limit"] = int(rest.pop("CubeLimit"))
        if self.remarks:
            about["comment"] = "\n".join(self.remarks)
        about["tags"] = rest
        return about


def read_header_line(header: Header, number: int, line: str) -> None:
    """Take one line that begins with a semicolon; number: its line in the file."""
    match = _TAG.match(line)
    key = match[1].strip() if match else ""
    if match and 0 < len(key) <= KEY_SIZE and len(header.tags) < TAG_LIMIT:
        header.tags[key], header.lines[key] = match[2], number
    else:
        header.remark(line)


def header_lines(record: Record, names: tuple[str, str]) -> list[str]:
    """The header of a record; names: the players as the columns call them."""
    tags: dict[str, str] = {key: str(getattr(record, name)) for name, key in TEXT_FIELDS.items()}
    tags[RULE_KEYS] = rule_words(record)
    told = {number: record.tags.get(f"Player {number}", "") for number in (1, 2)}
    # Real names beside the columns' nicks stand as they were; the columns' own names may stand there the other way round.
    are_others = all(told.values()) and not {*told.values()} & {*names, *(player.name for player in record.players)}
    for number, (player, name) in enumerate(zip(record.players, names, strict=True), start=1):
        tags[f"Player {number}"] = told[number] if are_others else name
        if player.rating is not None:
            tags[f"Player {number} Elo"] = f"{player.rating:.2f}/{player.experience or 0}"
    tags["EventDate"] = record.date.replace("-", ".")
    tags["EventTime"] = record.time.replace(":", ".")
    strange = Header(record.tags).strange_variation()
    tags["Variation"] = strange or _SPELLED.get(record.variation, record.variation)
    for name, key in FLAG_FIELDS.items():
        value = getattr(record, name)
        tags[key] = "" if value is None else "On" if value else "Off"
    tags["CubeLimit"] = "" if record.cube_limit is None else str(record.cube_limit)
    # What another program wrote into one of these that is no date, or no number, stands as it was.
    tags |= {key: value for key, value in record.tags.items() if not tags.get(key)}
    sizes = {RULE_KEYS: RULES_SIZE}
    values = {key: one_line(value, sizes.get(key, USUAL_SIZE)) for key, value in tags.items()}
    lines = [f'; [{one_line(key)} "{value}"]' for key, value in values.items() if value]
    return lines + [f"; {one_line(remark)}" for remark in record.comment.split("\n") if one_line(remark)]
