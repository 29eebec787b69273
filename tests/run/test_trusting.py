"""Whom a board believes: what can't be read is refused as the system refuses a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import trustme

from controller.run.trusting import hub_tls


@pytest.mark.parametrize("ca", ["~nobodyx/ca.crt", "none.crt"])
def test_an_authority_that_is_not_there(ca: str) -> None:
    with pytest.raises(OSError, match=ca):
        hub_tls(ca)


def test_an_authority_that_never_ends_or_never_begins(tmp_path: Path) -> None:
    """As where a device or a pipe is named by mistake: the one filled the memory, the other was waited for."""
    pipe = tmp_path / "ca.crt"
    os.mkfifo(pipe)
    for path, why in ((str(pipe), "it is a pipe"), ("/dev/zero", "it is a device")):
        with pytest.raises(OSError, match=why):
            hub_tls(path)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"no certificate", b"\x30\x82\x01\xff", b"-----BEGIN CERTIFICATE-----\n"]
)
def test_what_is_no_certificate_is_no_authority(content: bytes, tmp_path: Path) -> None:
    """An empty file above all: with it whatever the system trusts was trusted."""
    file = tmp_path / "ca.crt"
    file.write_bytes(content)
    with pytest.raises(OSError, match=r"certificate|start line|PEM") as refused:
        hub_tls(str(file))
    assert refused.value.strerror


def test_text_around_a_certificate_does_not_matter(tmp_path: Path) -> None:
    """As openssl writes it before one, and people beside it; in a file, and where a hub has given it."""
    told = f"# Autorita herny\nCertificate: Data: ...\n{trustme.CA().cert_pem.bytes().decode()}"
    file = tmp_path / "ca.crt"
    file.write_text(told.replace("herny", "haly č. 1"), "utf-8")
    for ca in (told, str(file)):
        assert len(hub_tls(ca).get_ca_certs()) == 1
