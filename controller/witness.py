"""Keeps pictures of what the referee says: the board before the turn and at that moment, and the seconds between as a clip."""

from __future__ import annotations

from controller.record.evidence import CLIP_SECONDS, Evidence, Kept, RecentFrames
from vision.frame import Frame


class Witness:
    """Remembers the camera's last minute; files are made of it when a flag is raised. For the referee's thread."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._recent = RecentFrames()

    def add(self, frame: Frame, still: bool) -> None:
        """One frame. still: the board lies still in it."""
        self._recent.add(frame, still)

    def keep(self, match: str, flag: int, since: float | None, seconds: float) -> None:
        """Keeps what was seen of a flag. since: when the turn began; None: some seconds before will do."""
        begun = seconds - CLIP_SECONDS if since is None else min(since, seconds)
        before, after = self._recent.at(begun), self._recent.at(seconds)
        self._evidence.keep(match, flag, before, after, self._recent.clip(seconds))

    def find(self, match: str, flag: int) -> Kept:
        """The files of a flag; may be asked for from any thread."""
        return self._evidence.find(match, flag)

    def wait(self) -> None:
        """Until everything is written that was to be kept so far."""
        self._evidence.wait()
