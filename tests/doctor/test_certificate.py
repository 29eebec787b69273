"""What the doctor says of a certificate, on each day of its life."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from controller.cli.certificate import DAYS, make_certificate
from controller.config import config_from
from controller.doctor.certificate import validity
from controller.doctor.examine import examine


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made now, as `vrhcab certificate` does."""
    return make_certificate(tmp_path_factory.mktemp("tls"), ("localhost",))


@pytest.mark.parametrize(
    ("days", "level", "words"),
    [
        (-3, "warning", "holds only from"),
        (0, "ok", "holds until"),
        (DAYS - 33, "ok", "holds until"),
        (DAYS - 29, "warning", "runs out on"),
        (DAYS + 1, "warning", "ran out on"),
    ],
)
def test_how_long_it_holds(certificate: Path, days: int, level: str, words: str) -> None:
    (found,) = validity(certificate, datetime.now(UTC) + timedelta(days=days))
    assert (found.check, found.level, words in found.sentence) == ("certificate", level, True)
    assert bool(found.do) == (level == "warning")


def test_one_that_cannot_be_read_is_for_the_start_to_tell(tmp_path: Path) -> None:
    (tmp_path / "notes.pem").write_text("White won, 7-5.\n", "utf-8")
    assert not [*validity(tmp_path / "notes.pem", datetime.now(UTC)), *validity(tmp_path / "none", datetime.now(UTC))]


def test_it_is_looked_at_where_the_page_is_served_with_it(certificate: Path, tmp_path: Path) -> None:
    settings = {"journal": {"path": str(tmp_path / "games.sqlite3")}, "camera": {"source": "none"}}
    served = config_from(settings | {"web": {"certificate": str(certificate)}})
    assert [one.level for one in examine(served) if one.check == "certificate"] == ["ok"]
    assert not [one for one in examine(config_from(settings)) if one.check == "certificate"]
