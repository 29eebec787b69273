"""Whom a board believes: what can't be read is refused as the system refuses a file."""

from __future__ import annotations

import pytest

from controller.run.trusting import hub_tls


@pytest.mark.parametrize("ca", ["~nobodyx/ca.crt", "none.crt"])
def test_an_authority_that_is_not_there(ca: str) -> None:
    with pytest.raises(OSError, match=ca):
        hub_tls(ca)
