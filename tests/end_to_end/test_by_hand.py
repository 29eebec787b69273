"""A match without a camera, kept on the page: signed in at the desk, played, corrected, and there again after a start."""

from __future__ import annotations

import json
import re
import signal
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from tests.programs import Running, running


class Operator:
    """Somebody at the desk."""

    def __init__(self, program: Running, pin: str) -> None:
        self._base = f"http://127.0.0.1:{program.port}"
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar())).open
        form = urllib.parse.urlencode({"pin": pin}).encode()
        page = self._open(urllib.request.Request(self._base + "/desk", form, {"Origin": self._base})).read().decode()
        token = re.search(r'name="csrf" content="([^"]+)"', page)
        assert token, page
        self._token = token[1]

    def say(self, kind: str, **fields: Any) -> dict[str, Any]:
        """One command; what the desk answers."""
        body = json.dumps({"type": kind, **fields}).encode()
        headers = {"Origin": self._base, "X-CSRF-Token": self._token, "Content-Type": "application/json"}
        try:
            answer = self._open(urllib.request.Request(self._base + "/api/command", body, headers))
        except urllib.error.HTTPError as error:
            answer = error
        found: dict[str, Any] = json.load(answer)
        return found

    def get(self, path: str) -> bytes:
        found: bytes = self._open(self._base + path).read()
        return found


def test_a_match_kept_by_hand_goes_on_as_it_was_corrected_after_the_program_was_killed(tmp_path: Path) -> None:
    with running(tmp_path, "run", "--source", "none", "--length", "5") as program:
        program.wait_until(program.state)
        found = re.search(r"desk: (\d+)", program.output)
        assert found
        operator = Operator(program, found[1])
        assert operator.say("roll", dice=[3, 1], side="light")["ok"]
        assert len(json.loads(operator.get("/api/legal"))["plays"]) == 16
        assert operator.say("play", notation="8/5 6/5")["ok"]
        refused = operator.say("take")
        assert (refused["ok"], refused["sentence"]) == (False, "No double is offered.")
        assert operator.say("double")["ok"]
        assert operator.say("take")["ok"]
        assert operator.say("undo")["ok"]
        view = program.wait_until(lambda: (v := program.state()) and v["phase"] == "cube offered" and v)
        assert operator.say("pass")["ok"]
        (match,) = json.loads(operator.get("/api/matches"))
        assert (match["id"], match["score"], match["over"]) == (view["match_id"], [0, 1], False)
        assert b"8/5 6/5" in operator.get(f"/api/matches/{match['id']}/export.mat")
        assert program.stop(signal.SIGKILL) == -signal.SIGKILL
    with running(tmp_path, "run", "--source", "none") as program:
        view = program.wait_until(program.state)
        assert (view["phase"], view["dark"]["score"], view["match_length"]) == ("game over", 1, 5)
        assert "Traceback" not in program.output
