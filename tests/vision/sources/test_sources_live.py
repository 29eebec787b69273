"""A source that vanishes is opened again, and the newest frame wins."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np
import pytest

from vision.frame import Frame
from vision.sources import LatestFrame, SourceError, retrying
from vision.sources.retry import LONGEST_WAIT


def frame(number: int) -> Frame:
    return Frame(np.zeros((1, 1, 3), np.uint8), float(number))


@dataclass
class Scripted:
    """A source that gives so many frames and then breaks with a sentence, or ends where there is none."""

    count: int
    trouble: str = ""
    live: bool = True
    total: int | None = None
    name: str = "The scripted source"
    closed: bool = False

    def frames(self) -> Iterator[Frame]:
        yield from map(frame, range(self.count))
        if self.trouble:
            raise SourceError(self.trouble)

    def close(self) -> None:
        self.closed = True


@dataclass
class Script:
    """Opens one scripted source after another (a sentence: opening fails) and writes down waits and troubles."""

    acts: Sequence[Scripted | str]
    waits: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    opened: int = 0

    def open(self) -> Scripted:
        act = self.acts[min(self.opened, len(self.acts) - 1)]
        self.opened += 1
        if isinstance(act, str):
            raise SourceError(act)
        return act

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        return self.opened >= len(self.acts)

    def run(self) -> list[float]:
        return [frame.seconds for frame in retrying(self.open, self.wait, self.troubles.append)]


class TestRetrying:
    def test_goes_on_after_the_camera_vanished(self) -> None:
        script = Script([Scripted(3, "unplugged"), "not there", Scripted(2, "unplugged")])
        assert script.run() == [0, 1, 2, 0, 1]
        assert script.troubles == ["unplugged", "not there", "unplugged"]

    def test_every_source_is_closed(self) -> None:
        acts = [Scripted(1, "unplugged"), Scripted(0, "no frame"), Scripted(2)]
        Script(acts).run()
        assert all(act.closed for act in acts)

    def test_waits_longer_each_time_and_a_frame_makes_it_hopeful_again(self) -> None:
        script = Script([*["not there"] * 6, Scripted(1, "unplugged"), "not there"])
        script.run()
        assert script.waits == [1, 2, 4, 8, LONGEST_WAIT, LONGEST_WAIT, 1, 2]

    def test_the_same_trouble_is_told_once_until_frames_come(self) -> None:
        script = Script(["not there", "not there", Scripted(1, "unplugged"), "not there", "not there"])
        script.run()
        assert script.troubles == ["not there", "unplugged", "not there"]

    def test_a_live_source_that_just_ends_is_trouble_too(self) -> None:
        script = Script([Scripted(1)])
        script.run()
        assert script.troubles == [
            "The scripted source has stopped giving pictures. Check its cable and plug it in again."
        ]

    def test_a_file_that_ended_is_not_read_twice(self) -> None:
        script = Script([Scripted(3, live=False, total=3)] * 3)
        assert script.run() == [0, 1, 2]
        assert len(script.troubles) == 1
        assert "has ended after 3 frames" in script.troubles[0]

    @pytest.mark.parametrize("total", [2, 4])
    def test_a_file_of_which_the_header_says_more_or_less_is_not_gone_through_again_until_it_grows(
        self, total: int
    ) -> None:
        """A film's header tells how many frames there are by its length and its rate, and fewer are wanted."""

        class Unread(Scripted):
            def frames(self) -> Iterator[Frame]:
                raise AssertionError

        again, grown = Unread(3, live=False, total=total), Scripted(5, live=False, total=total + 1)
        script = Script([Scripted(3, live=False, total=total), again, again, grown])
        assert script.run() == [0, 1, 2, 3, 4]
        assert [trouble.split(".")[0] for trouble in script.troubles] == [
            f"The scripted source has ended after {count} frames" for count in (3, 5)
        ]

    @pytest.mark.parametrize("total", [5, None])
    def test_frames_added_to_a_file_are_read(self, total: int | None) -> None:
        script = Script([Scripted(3, live=False, total=3), Scripted(5, live=False, total=total)])
        assert script.run() == [0, 1, 2, 3, 4]

    def test_closing_the_iteration_closes_the_source(self) -> None:
        act = Scripted(3)
        script = Script([act])
        frames = retrying(script.open, script.wait, script.troubles.append)
        next(frames)
        frames.close()  # type: ignore[attr-defined]  # it is a generator
        assert act.closed


class Paced:
    """Frames that come when the test lets them."""

    def __init__(self, ending: Exception | None = None) -> None:
        self._allowed = threading.Semaphore(0)
        self._taken = threading.Semaphore(0)
        self._stop = False
        self._ending = ending

    def frames(self) -> Iterator[Frame]:
        number = 0
        while True:
            self._allowed.acquire()
            if self._stop:
                if self._ending is not None:
                    raise self._ending
                return
            yield frame(number)
            self._taken.release()
            number += 1

    def let(self, count: int) -> None:
        """Lets so many frames come, and waits until all are in."""
        for _ in range(count):
            self._allowed.release()
            assert self._taken.acquire(timeout=5)

    def end(self) -> None:
        self._stop = True
        self._allowed.release()


class TestLatestFrame:
    def test_the_newest_frame_wins_and_stale_ones_are_counted(self) -> None:
        paced = Paced()
        with LatestFrame(paced.frames()) as latest:
            paced.let(4)
            taken = latest.take(5)
            assert taken is not None
            assert taken.seconds == 3
            assert (latest.captured, latest.dropped) == (4, 3)
            paced.let(1)
            following = latest.take(5)
            assert following is not None
            assert following.seconds == 4
            assert latest.dropped == 3
            paced.end()

    def test_no_frame_is_handed_over_twice(self) -> None:
        paced = Paced()
        with LatestFrame(paced.frames()) as latest:
            paced.let(1)
            assert latest.take(5) is not None
            assert latest.take(0.01) is None
            assert not latest.ended
            paced.end()

    def test_the_last_frame_comes_before_the_error(self) -> None:
        latest = LatestFrame(two_frames_and_then(SourceError("unplugged"))).start()
        taken = latest.take(5)
        while taken is not None and taken.seconds < 1:
            taken = latest.take(5)
        assert taken is not None
        assert taken.seconds == 1
        with pytest.raises(SourceError, match="unplugged"):
            latest.take(5)

    def test_an_error_wakes_who_waits(self) -> None:
        paced = Paced(SourceError("unplugged"))
        with LatestFrame(paced.frames()) as latest:
            threading.Timer(0.05, paced.end).start()
            with pytest.raises(SourceError, match="unplugged"):
                latest.take()

    def test_ends_with_its_source(self) -> None:
        paced = Paced()
        with LatestFrame(paced.frames()) as latest:
            paced.let(1)
            paced.end()
            assert not latest.ended
            assert latest.take(5) is not None
            assert latest.take(5) is None
            assert latest.ended

    def test_the_thread_has_a_name_and_ends_when_closed(self) -> None:
        def names() -> set[str]:
            return {thread.name for thread in threading.enumerate()}

        with LatestFrame(map(frame, count()), name="capture under test"):
            assert "capture under test" in names()
        assert "capture under test" not in names()


def two_frames_and_then(error: Exception) -> Iterator[Frame]:
    yield from map(frame, range(2))
    raise error
