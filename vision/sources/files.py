"""Frames from a folder of pictures, in the order of their names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from terms.order import natural_key
from vision.frame import Frame
from vision.pictures.files import PictureError, load_picture
from vision.sources.base import SourceError

PICTURE_ENDINGS = frozenset({".bmp", ".heic", ".heif", ".jpeg", ".jpg", ".png", ".webp"})

FOLDER_FPS = 1.0
"""Pictures a second where nobody says: a folder holds key frames, a second apart."""


def seen_in(folder: Path) -> list[Path]:
    """What lies in a folder, in natural order, but for what is hidden: a Mac lays ._NAME.jpg, no picture, beside each on a stick.
    Raises OSError."""
    there = [path for path in folder.iterdir() if not path.name.startswith(".")]
    return sorted(there, key=lambda path: (natural_key(path.name), path.name))


class FolderSource:
    """The pictures of a folder in natural name order, each 1/fps seconds after the one before.

    Raises:
        SourceError: no such folder, it can't be read, or no picture is in it.
    """

    live = False

    def __init__(self, folder: Path, fps: float = FOLDER_FPS) -> None:
        self.name = f"The folder {str(folder)!r}"
        self._seconds_apart = 1.0 / fps
        self._pictures = _pictures_in(folder, self.name)

    @property
    def total(self) -> int:
        """How many pictures were there when the folder was opened."""
        return len(self._pictures)

    @property
    def duration(self) -> float:
        """Seconds from the first picture to when one more would come."""
        return len(self._pictures) * self._seconds_apart

    def frames(self) -> Iterator[Frame]:
        """One frame a picture, named after its file. Raises SourceError where a picture can't be read."""
        for index, path in enumerate(self._pictures):
            try:
                image = load_picture(path)
            except PictureError as error:
                raise SourceError(error.sentence) from error
            yield Frame(image, index * self._seconds_apart, path.name)

    def close(self) -> None:
        """Nothing is held open."""


def _pictures_in(folder: Path, name: str) -> list[Path]:
    if not folder.exists():
        raise SourceError(f"{name} is not there. Check the path.")
    if not folder.is_dir():
        raise SourceError(f"{name} is a file, not a folder. Use 'video:{folder}' if it is a video.")
    try:
        pictures = [path for path in seen_in(folder) if path.suffix.lower() in PICTURE_ENDINGS and path.is_file()]
    except OSError as error:
        raise SourceError(f"{name} can't be read ({error.strerror}). Check its permissions.") from error
    if not pictures:
        endings = ", ".join(sorted(PICTURE_ENDINGS))
        raise SourceError(f"{name} holds no pictures. Put the frames there as {endings} files, named in their order.")
    return pictures
