"""The coach: after each turn what GNU Backgammon would have played, and what the play that was made cost. It looks on: nothing of
it is written down, and no turn waits for it."""

from __future__ import annotations

from collections.abc import Callable

from controller.app.status import Status
from controller.app.view import side_name
from controller.config import AnalysisConfig
from controller.errors import ControllerError
from controller.page.referee_link import RefereeLink
from controller.record.advice import advise, is_known, turn_of
from controller.record.gnubg import GnubgStopped, find_gnubg
from controller.referee.coaching import NO_COACH, for_stakes
from controller.referee.events import Played, Skipped
from controller.referee.state import MatchState
from terms.board import SideName
from vision.sentence import Sentence
from web.operator import Coached, CoachedTurn
from web.words import message

LOOKED_AT = 6
"""The newest lines of the game that are judged: where GNU Backgammon is slower than the players, older turns are passed over."""

AGAIN_S = 1.5
"""Seconds after which somebody who waits for a word asks again."""

KEPT = 40
"""The newest lines of the game of which anything is said."""

Key = tuple[str, int, int, Played]
"""Match, game, line, and what was played: a corrected turn is another."""


class Coach:
    """advise() runs in the Engine's thread; any other may call told()."""

    def __init__(self, link: RefereeLink, settings: AnalysisConfig) -> None:
        self._link, self._settings = link, settings
        self._judged: dict[Key, CoachedTurn | None] = {}

    def hints_for(self, side: SideName | None) -> Coached:
        """What somebody who plays that side may know, newest first; None for a viewer, who may play either."""
        status = self._link.status
        if status is None or status.practising or status.state.role != "coach":
            return Coached()
        if note := _why_not(status.state):
            return Coached(note=str(note), note_message=message(note))
        turns = _turns(status)
        asked = [key for key in turns if _may_know(status.state, key, side)]
        found = [self._judged.get(key) for key in asked]
        soon = [key for key in turns[:LOOKED_AT] if key in asked]
        waits = not status.state.between_games and any(key not in self._judged for key in soon)
        lines = tuple(turn for turn in found if turn is not None)
        return Coached(lines, again_s=AGAIN_S) if waits else Coached(lines)

    def advise(self, wanted: Callable[[], bool]) -> bool:
        """An Engine's task: the newest turn that nobody has judged."""
        status = self._link.status
        if status is None or status.practising or status.state.role != "coach" or status.state.between_games:
            return False
        turns = _turns(status)
        self._judged = {key: self._judged[key] for key in turns if key in self._judged}
        key = next((key for key in turns[:LOOKED_AT] if key not in self._judged), None)
        if key is None or _why_not(status.state):
            return False
        try:
            word = self._word(status.state, key, lambda: wanted() and self._is_wanted(key))
        except GnubgStopped:
            return False
        except ControllerError:  # No word on this turn; the next may do.
            word = None
        self._judged = {**self._judged, key: word}
        return True

    def _word(self, state: MatchState, key: Key, wanted: Callable[[], bool]) -> CoachedTurn | None:
        _, _, number, played = key
        record = turn_of(state, number)
        judged = advise(record, self._settings.plies, wanted) if record else None
        if judged is None:
            return None
        return CoachedTurn(number, side_name(played.side), judged.played, judged.better, judged.lost, judged.doubling)

    def _is_wanted(self, key: Key) -> bool:
        """Whether it is still a turn of the game that is on."""
        status = self._link.status
        return status is not None and key in _turns(status)[:LOOKED_AT]


def _why_not(state: MatchState) -> Sentence:
    """The sentence that says why nobody is coached; "" where somebody is."""
    if for_stakes(state.ruleset):
        return Sentence(NO_COACH)
    if not is_known(state.ruleset):
        return Sentence("GNU Backgammon does not know these rules, so nobody is coached.")
    return Sentence("" if find_gnubg() else "GNU Backgammon is not installed here, so nobody is coached.")


def _turns(status: Status) -> list[Key]:
    """The turns that were played in this game lately, newest first."""
    state = status.state
    game = state.score.game - state.between_games  # the score counts on to the next one as soon as it is over
    lines = enumerate(state.turns[-KEPT:], start=max(len(state.turns) - KEPT, 0) + 1)
    played = [(status.match, game, number, turn) for number, turn in lines if isinstance(turn, Played)]
    return played[::-1]


def _may_know(state: MatchState, key: Key, side: SideName | None) -> bool:
    """Whose turn it was may know at once what was better; the opponent, to whom it says how he stands, once his turn has ended."""
    _, _, number, played = key
    after = state.turns[number:]
    ended = any(isinstance(line, Played | Skipped) and line.side is not played.side for line in after)
    return ended or state.between_games or side == side_name(played.side)
