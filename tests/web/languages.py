"""Another language chosen on a page, as a browser does it: what its form sends replaces all that the address had behind "?"."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode, urljoin

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

FORM = re.compile(r'<form method="get"(?: action="([^"]*)")? class="languages"(.*?)</form>', re.DOTALL)
KEPT = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')


def in_language(client: FlaskClient, page: TestResponse, language: str) -> TestResponse:
    """The page that comes then."""
    ((action, form),) = FORM.findall(page.text)
    sent = [(unescape(name), unescape(value)) for name, value in KEPT.findall(form)]
    path = unescape(action) or page.request.path
    answer = client.get(f"{path}?{urlencode([*sent, ('lang', language)])}")
    assert answer.status_code == 302
    return client.get(urljoin(path, answer.headers["Location"]))
