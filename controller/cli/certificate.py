"""`vrhcab certificate`: a certificate for https in one's own network, and the authority that phones are told to trust."""

from __future__ import annotations

import ipaddress
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli.files import FILE

if TYPE_CHECKING:
    from trustme import CA

DAYS = 820
"""Phones of Apple take no certificate that holds for longer than 825 days."""

AUTHORITY, AUTHORITY_KEY, CERTIFICATE = "vrhcab-authority.crt", "vrhcab-authority.key", "vrhcab.pem"


@click.command("certificate")
@click.option("--name", "names", multiple=True, help="A name or address more by which browsers ask for this machine.")
@click.option("--config", type=FILE, help="TOML file with the settings of the referee.")
def certificate_command(names: tuple[str, ...], config: Path | None) -> None:
    """Make a certificate for https in your own network. Made again it is renewed, for its names of before too, and phones need not
    be told anew."""
    from controller.config import journal_path, machine_settings
    from controller.record.owners import make_folder

    settings = machine_settings(config)
    folder = journal_path(settings).parent
    try:
        make_folder(folder)
        known = own_names((settings.web.host, *settings.web.names, *names))
        known += _held(folder / CERTIFICATE, known)
        made = make_certificate(folder, known)
    except OSError as error:
        raise click.ClickException(f"The certificate can't be kept in {folder} ({error.strerror}).") from error
    except ValueError as error:
        raise click.ClickException(
            f"A certificate can't hold one of these names: {', '.join(known)}. Give names such as vrhcab.local, or addresses."
        ) from error
    click.echo(
        f"{made} holds for {DAYS} days, for: {', '.join(known)}\n"
        f'To use it, write under [web] in the settings:\n\n    certificate = "{made}"\n\n'
        "and start the program again; the page is then at https://. A browser warns of it, once on each phone, as nobody whom "
        "it knows has signed it: go on all the same, or, so that it never asks and the page can be put on the home screen, give "
        f"the phone {folder / AUTHORITY}\n"
        "  Android: Settings, Security, Encryption and credentials, Install a certificate, CA certificate\n"
        "  iPhone: open the file, then Settings, Profile downloaded, Install; then General, About, Certificate trust settings\n"
        f"Give nobody {folder / AUTHORITY_KEY}: whoever has it can pass for any site on those phones."
    )


def own_names(more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """By what browsers ask for this machine: its names, its address, and more; none that stands for every address."""
    from controller.run.own_address import EVERYWHERE, own_address

    host = socket.gethostname()
    first = host.partition(".")[0]
    every = (host, first, f"{first}.local", "localhost", "127.0.0.1", own_address() or "", *more)
    return tuple(dict.fromkeys(name for name in every if name and name not in EVERYWHERE))


def _held(path: Path, known: tuple[str, ...]) -> tuple[str, ...]:
    """For what else the certificate there holds, as somebody said when it was made; nothing where it can't be read."""
    from cryptography.x509 import (
        DNSName,
        ExtensionNotFound,
        IPAddress,
        SubjectAlternativeName,
        load_pem_x509_certificate,
    )

    try:
        held = load_pem_x509_certificate(path.read_bytes()).extensions.get_extension_for_class(SubjectAlternativeName)
    except (OSError, ValueError, ExtensionNotFound):
        return ()
    names = (*held.value.get_values_for_type(DNSName), *map(str, held.value.get_values_for_type(IPAddress)))
    plain = {_plain(name) for name in known}
    return tuple(name for name in names if name not in plain)


def make_certificate(folder: Path, names: tuple[str, ...]) -> Path:
    """A certificate with its key, in a file of its owner's alone, signed by the folder's authority. Raises OSError."""
    from controller.record.owners import replace_file

    now = datetime.now(UTC)
    signed = _authority(folder).issue_cert(
        *(_plain(name) for name in names),
        organization_name="Vrhcáb",
        not_before=now - timedelta(days=1),
        not_after=now + timedelta(days=DAYS - 1),
    )
    path = folder / CERTIFICATE
    replace_file(path, signed.private_key_and_cert_chain_pem.bytes())
    return path


def _authority(folder: Path) -> CA:
    """The one of an earlier time, so that whoever trusts it need not be asked again; else a new one."""
    from trustme import CA

    from controller.record.owners import replace_file

    certificate, key = folder / AUTHORITY, folder / AUTHORITY_KEY
    if certificate.is_file() and key.is_file():
        try:
            return CA.from_pem(certificate.read_bytes(), key.read_bytes())
        except ValueError as error:
            raise click.ClickException(
                f"{certificate} and {key} are damaged. Move them away to have others made, which phones must be told anew."
            ) from error
    authority = CA(organization_name=f"Vrhcáb on {socket.gethostname()}")
    replace_file(key, authority.private_key_pem.bytes())
    replace_file(certificate, authority.cert_pem.bytes())
    return authority


def _plain(name: str) -> str:
    """As a certificate has it: an address without brackets, a name in ASCII. Raises ClickException for what is neither."""
    bare = name.strip("[]")
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        pass
    try:
        if not bare.replace(".", "").isdigit():
            return bare.encode("idna").decode().lower()
        raise UnicodeError(bare)  # An address that there can't be.
    except UnicodeError as error:
        raise click.ClickException(f"{name!r} is no name of a machine. Give one such as board.local.") from error
