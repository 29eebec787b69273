"""Pages that are files, filled into templates that lie beside the modules which make them.

Jinja2 is imported with the first page: most programs make none, and it is a tenth of their start.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2


def filled(room: str, name: str, /, **values: object) -> str:
    """The template of that name in a room of controller, such as "record", with these values."""
    return _templates(room).get_template(name).render(**values)


@cache
def _templates(room: str) -> jinja2.Environment:
    import jinja2

    loader = jinja2.PackageLoader("controller", room)
    return jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
