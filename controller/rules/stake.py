"""What one point is worth in play for money, and what the players owe each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from controller.rules.errors import RuleSetError

_WRITTEN = re.compile(r"\s*(?P<amount>\d{1,9}(?:[.,]\d{1,2})?)\s*(?P<unit>[^\W\d_]{1,12}|[$€£¥]|)\s*")


@dataclass(frozen=True)
class Amount:
    """An amount of money. unit: as people write it, such as "Kč" or "€"; "" where they have named none."""

    amount: Decimal
    unit: str = ""

    def of(self, points: int) -> Amount:
        """So many times this."""
        return Amount(self.amount * points, self.unit)

    def text(self, language: str = "en") -> str:
        """ "2.50 €", in Czech and Slovak "2,50 €"."""
        amount = f"{self.amount:f}"
        amount = amount if language == "en" else amount.replace(".", ",")
        return f"{amount} {self.unit}".rstrip()


def parse_stake(text: str) -> Amount | None:
    """The stake that people write as "5 Kč", "0,50 €" or "10"; None for nothing and for 0. Raises RuleSetError."""
    if not text.strip():
        return None
    found = _WRITTEN.fullmatch(text)
    if not found:
        raise RuleSetError(
            "stake.point is what one point is worth, an amount and a currency such as 5 Kč or 0.50 €, not {text}.",
            text=repr(text),
        )
    amount = Decimal(found["amount"].replace(",", "."))
    return Amount(amount, found["unit"]) if amount else None
