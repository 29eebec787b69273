"""Films as people have them: codecs, containers, rates, rotation; and what of a film is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.simulation.cards import swayed
from tests.films import write_film
from vision.frame import Image
from vision.sources import SourceError
from vision.sources.news import BUSY_EVERY, HEARTBEAT, SETTLING, News, small_grey
from vision.sources.video import VideoSource

WIDTH, HEIGHT = 320, 180
RED, GREEN, BLUE, GREY = (0, 0, 220), (0, 200, 0), (220, 0, 0), (128, 128, 128)


def scene(*, at: float = 0.0, noise: int = 0, seed: int = 0) -> Image:
    """Four quarters of four colours, and a light square that lies at that share of the width."""
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    picture[: HEIGHT // 2, : WIDTH // 2], picture[: HEIGHT // 2, WIDTH // 2 :] = RED, GREEN
    picture[HEIGHT // 2 :, : WIDTH // 2], picture[HEIGHT // 2 :, WIDTH // 2 :] = BLUE, GREY
    left = int(at * (WIDTH - 16))
    picture[80:96, left : left + 16] = 250
    if noise:
        grain = np.random.default_rng(seed).normal(0, noise, picture.shape)
        picture = np.clip(picture + grain, 0, 255).astype(np.uint8)
    return picture


def quarters(image: Image) -> list[tuple[int, ...]]:
    """The four quarters' colours, row by row, as names would have them: the nearest of the four."""
    height, width = image.shape[:2]
    colours = [RED, GREEN, BLUE, GREY]
    found = []
    for y in (height // 8, height * 7 // 8):
        for x in (width // 8, width * 7 // 8):
            found.append(min(colours, key=lambda colour: float(np.abs(image[y, x].astype(float) - colour).sum())))
    return found


def seconds_of(path: Path, fps: float | None = None, *, news_only: bool = False, start: float = 0.0) -> list[float]:
    source = VideoSource(path, fps, news_only=news_only, start=start)
    found = [frame.seconds for frame in source.frames()]
    source.close()
    return found


@pytest.mark.parametrize(
    ("name", "codec", "options"),
    [
        ("game.mp4", "libx264", {}),
        ("game.mov", "libx264", {"bf": "0"}),
        ("game.mkv", "libx265", {"x265-params": "log-level=none"}),
        ("game.webm", "libvpx-vp9", {"deadline": "realtime"}),
        ("game.mp4", "libsvtav1", {"preset": "12"}),
        ("game.avi", "mpeg4", {}),
    ],
)
def test_every_kind_of_film_is_read(tmp_path: Path, name: str, codec: str, options: dict[str, str]) -> None:
    film = write_film(tmp_path / name, ((n / 25, scene(at=n / 30)) for n in range(25)), codec, **options)
    source = VideoSource(film)
    frames = list(source.frames())
    assert len(frames) == 25
    assert all(quarters(frame.image) == [RED, GREEN, BLUE, GREY] for frame in frames)
    assert [frame.seconds for frame in frames] == pytest.approx([n / 25 for n in range(25)], abs=0.02)
    assert source.duration == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("rate", [24, 30, 50, 60])
def test_of_any_rate_ten_frames_a_second_are_taken(tmp_path: Path, rate: int) -> None:
    film = write_film(tmp_path / "game.mp4", ((n / rate, scene(at=n / 300)) for n in range(3 * rate)))
    found = seconds_of(film, 10)
    assert 18 <= len(found) <= 37
    assert max(np.diff(found)) < 0.26


@pytest.mark.parametrize("name", ["game.h264", "game.mp4"])
def test_a_bare_stream_whose_pictures_tell_no_time_has_the_time_of_a_film(tmp_path: Path, name: str) -> None:
    film = write_film(tmp_path / name, ((n / 25, scene(at=n / 100)) for n in range(100)), bf="3")
    found = seconds_of(film, 10)
    assert 3.8 < found[-1] < 4
    assert max(np.diff(found)) < 0.26
    assert seconds_of(film, start=2.0) == pytest.approx(np.arange(50, 100) / 25, abs=0.001)


def test_a_film_in_which_few_frames_build_on_no_other_is_decoded_in_full(tmp_path: Path) -> None:
    """At 24 a second with seven B frames in a row, of which none is built on, three a second would be left."""
    options = {"bf": "7", "b-pyramid": "none", "x264-params": "b-adapt=0:scenecut=0", "g": "240"}
    film = write_film(tmp_path / "game.mp4", ((n / 24, scene(at=n / 200)) for n in range(144)), **options)
    found = seconds_of(film, 10)
    assert max(np.diff(found[4:])) < 0.15


def test_a_rate_that_varies(tmp_path: Path) -> None:
    stamps = [*np.arange(0, 1, 1 / 60), *np.arange(1, 2, 0.2), *np.arange(2, 3, 1 / 24)]
    film = write_film(tmp_path / "game.mp4", ((at, scene(at=at / 3)) for at in stamps))
    assert seconds_of(film) == pytest.approx(stamps, abs=0.002)


@pytest.mark.parametrize(
    ("turned", "expected"),
    [(90, [GREEN, GREY, RED, BLUE]), (-90, [BLUE, RED, GREY, GREEN]), (180, [GREY, BLUE, GREEN, RED])],
)
def test_a_film_is_turned_as_its_header_says(tmp_path: Path, turned: int, expected: list[tuple[int, ...]]) -> None:
    film = write_film(tmp_path / "game.mov", ((n / 10, scene()) for n in range(5)), turned=turned)
    frame = next(iter(VideoSource(film).frames()))
    assert quarters(frame.image) == expected
    assert frame.size == ((HEIGHT, WIDTH) if turned in (90, -90) else (WIDTH, HEIGHT))


def test_films_that_were_joined_are_one_of_the_size_of_the_first(tmp_path: Path) -> None:
    """The second is larger, of another shape, and its clock begins anew."""
    films = [
        write_film(
            tmp_path / f"{width}.ts", ((n / 10, np.full((240, width, 3), 120, np.uint8)) for n in range(15)), bf="0"
        )
        for width in (320, 640)
    ]
    joined = tmp_path / "joined.ts"
    joined.write_bytes(b"".join(film.read_bytes() for film in films))
    frames = list(VideoSource(joined).frames())
    assert [frame.seconds for frame in frames] == pytest.approx([n / 10 for n in range(30)], abs=0.11)
    assert {frame.size for frame in frames} == {(320, 240)}
    assert abs(frames[-1].image[120, 160] - 120.0).max() < 5
    assert frames[-1].image[30, 160].max() < 10  # a bar
    source = VideoSource(joined, start=2.0)
    rest = list(source.frames())
    source.close()
    assert [frame.seconds for frame in rest] == pytest.approx([n / 10 for n in range(20, 30)], abs=0.11)
    assert {frame.size for frame in rest} == {(320, 240)}


class LateStream:
    """A container as PyAV reads it, in which another stream begins after some packets: what reads by then ends."""

    def __init__(self, container: Any, after: int) -> None:
        self._container, self._after = container, after

    def demux(self, stream: Any) -> Iterator[Any]:
        for packet in self._container.demux(stream):
            yield packet
            self._after -= 1
            if self._after == 0:
                raise IndexError("list index out of range")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._container, name)


def test_a_stream_that_begins_in_the_middle_of_a_film_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As sound does that comes late in a broadcast, or what a damaged piece looks like."""
    film = write_film(tmp_path / "film.ts", ((n / 10, scene(at=n / 20)) for n in range(20)))
    whole = seconds_of(film)
    opened = av.open
    monkeypatch.setattr(av, "open", lambda *args, **options: LateStream(opened(*args, **options), 7))
    assert seconds_of(film) == whole
    assert len(whole) == 20


def test_a_film_is_gone_on_with_in_its_middle(tmp_path: Path) -> None:
    film = write_film(tmp_path / "game.mp4", ((n / 25, scene(at=n / 100)) for n in range(100)), g="20")
    found = seconds_of(film, start=2.5)
    assert found == pytest.approx([n / 25 for n in range(63, 100)], abs=0.02)


def test_a_film_that_no_decoder_here_reads_is_said_in_a_sentence(tmp_path: Path) -> None:
    film = write_film(tmp_path / "game.mp4", ((n / 10, scene()) for n in range(5)))
    film.write_bytes(film.read_bytes().replace(b"avc1", b"zzz1"))
    with pytest.raises(SourceError, match="is no video that can be read"):
        VideoSource(film)


def test_a_sound_without_pictures_is_no_film(tmp_path: Path) -> None:
    (tmp_path / "list.m3u8").write_text("#EXTM3U\nhttp://127.0.0.1:1/film.ts\n")
    with pytest.raises(SourceError, match="is no video"):
        VideoSource(tmp_path / "list.m3u8")


class TestNews:
    """A film of 30 frames a second in which a square lies still, moves from 2 s to 3 s, and lies still again until 8 s."""

    @pytest.fixture(params=[0, 12])
    def film(self, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
        def at(seconds: float) -> float:
            return min(max(seconds - 2, 0), 1)

        pictures = ((n / 30, scene(at=at(n / 30), noise=request.param, seed=n)) for n in range(240))
        return write_film(tmp_path / "game.mp4", pictures, preset="ultrafast")

    def test_nothing_that_moves_is_passed_over(self, film: Path) -> None:
        found = seconds_of(film, 10, news_only=True)
        busy = [one for one in found if 2 <= one <= 3 + SETTLING]
        assert max(np.diff(busy)) < BUSY_EVERY + 0.2
        settling = [one for one in busy if one > 3.05]
        assert max(np.diff(settling)) < 0.2

    def test_where_nothing_happens_hardly_anything_is_looked_at(self, film: Path) -> None:
        found = seconds_of(film, 10, news_only=True)
        assert len([one for one in found if 4 < one < 8]) <= 12
        assert max(np.diff(found)) < HEARTBEAT + 0.25
        assert found[-1] == pytest.approx(8, abs=0.2)

    def test_what_was_there_and_is_new_is_seen_whole(self, film: Path) -> None:
        """The last frame that is handed on before the square moves shows it at the left, the first after at the right."""
        frames = list(VideoSource(film, 10, news_only=True).frames())
        before = [frame for frame in frames if frame.seconds < 2][-1].image
        after = next(frame for frame in frames if frame.seconds > 3.1).image
        assert before[84:92, 4:12].mean() > 200 > before[84:92, -12:-4].mean()
        assert after[84:92, -12:-4].mean() > 200 > after[84:92, 4:12].mean()

    def test_a_picture_that_grows_brighter_slowly_is_looked_at_now_and_then(self) -> None:
        news, shown = News(), []
        for n in range(100):
            if news.wants(np.full((90, 160), 100 + n // 5, np.uint8), n / 10):
                shown.append(n / 10)
        assert max(np.diff(shown)) <= HEARTBEAT + 0.11

    @pytest.mark.parametrize("fps", [2, 5, 10])
    def test_of_a_camera_that_somebody_holds_every_picture_is_looked_at(self, fps: int) -> None:
        """Nothing tells the moment in which the board lies still from the others: all of the view moves, by more or by less."""
        board = np.kron(np.random.default_rng(3).integers(0, 256, (36, 64)), np.ones((20, 20))).astype(np.uint8)
        news = News()
        wanted = sum(news.wants(small_grey(swayed(board, n / fps, 5)), n / fps) for n in range(8 * fps))
        assert wanted > 7 * fps

    @given(st.integers(320, 4000), st.floats(0.4, 2.5))
    def test_pictures_of_any_size_are_made_small(self, width: int, slim: float) -> None:
        height = round(width / slim)
        small = small_grey(np.zeros((height, width), np.uint8))
        assert small.shape[1] < 320
        assert 0.9 < (width / height) / (small.shape[1] / small.shape[0]) < 1.12
