"""Before the referee begins: a journal that can't be written now is waited for, and page, lamps and terminal say why."""

from __future__ import annotations

from controller.app.display import Display
from controller.app.status import JournalStatus, Status
from controller.app.table import Table
from controller.panel.adapter import Panel
from controller.record.journal import RETRY, Journal, NotNowError
from controller.referee.session import Session
from controller.run.own_address import from_here
from controller.run.settings import RunSettings, tls_of
from controller.run.start_banner import welcome
from controller.run.watchdog import PARTS, watchdog_for
from web.app import create_app
from web.hub import ViewHub
from web.server import serve


def open_journal(table: Table, panel: Panel, settings: RunSettings) -> Journal | None:
    """The journal, as soon as it can be written; None where the switch was thrown before.

    Raises JournalError where waiting mends nothing, as of a damaged file.
    """
    try:
        return Journal(settings.journal)
    except NotNowError as error:
        return _wait(error.sentence, table, panel, settings)


def _wait(why: str, table: Table, panel: Panel, settings: RunSettings) -> Journal | None:
    """The page has no desk meanwhile: what is said there could not be written down."""
    hub, web = ViewHub(), settings.web
    display = Display(hub, panel, settings.tell)
    session = Session(table.plan, table.light_home)
    board = session.tracker.belief.best.board
    tls = tls_of(web)
    with (
        serve(create_app(hub, names=(web.host, *web.names), demo=settings.demo), web.host, web.port, tls=tls) as server,
        watchdog_for(from_here(web.host), server.port, https=tls is not None) as dog,
    ):
        settings.tell(
            f"{welcome(web.host, server.port, None, https=tls is not None)}\n{why} The game begins once it can be written."
        )
        while True:
            display.show(Status(session.state, board, journal=JournalStatus(why, stopped=True)))
            if settings.stop.wait(RETRY):
                return None
            for part in PARTS:
                dog.beat(part)
            try:
                journal = Journal(settings.journal)
            except NotNowError as error:
                why = error.sentence
                continue
            settings.tell("The journal can be written again.")
            dog.hand_over()
            return journal
