"""Keeps pictures of what the referee says or doubts: the board before the turn and at that moment, and a clip between."""

from __future__ import annotations

from collections.abc import Callable

from controller.record.evidence import CLIP_SECONDS, EvidenceFiles, EvidenceFolder, RecentFrames, as_it_is
from vision.frame import Frame


def turn_name(seconds: float) -> str:
    """A turn by the time at which it was written down, which stays when lines before it are put in or taken out."""
    return f"turn-{round(seconds * 1000)}"


class EvidenceRecorder:
    """Remembers the camera's last minute; a flag or a doubtful turn makes files of it. For the referee's thread."""

    def __init__(self, evidence: EvidenceFolder) -> None:
        self._evidence = evidence
        self._recent = RecentFrames()

    def add(self, frame: Frame, *, still: bool, as_read: Callable[[Frame], Frame] = as_it_is) -> None:
        """One frame. still: the board lies still in it; as_read: makes of it what is read then."""
        self._recent.add(frame, still=still, as_read=as_read)

    def keep(self, match: str, what: int | str, since: float | None, seconds: float) -> None:
        """Keeps what was seen of a flag (its number) or of a turn (turn_name()).

        since: when the turn began; None: some seconds before will do."""
        begun = seconds - CLIP_SECONDS if since is None else min(since, seconds)
        before, after = self._recent.at(begun), self._recent.at(seconds)
        self._evidence.keep(match, what, before, after, self._recent.clip(seconds))

    def find(self, match: str, what: int | str) -> EvidenceFiles:
        """The files of a flag or turn; may be asked for from any thread."""
        return self._evidence.find(match, what)

    def wait(self) -> None:
        """Until everything is written that was to be kept so far."""
        self._evidence.wait()
