"""Coverage-guided fuzzing of everything that reads what others wrote: records, journals, logs and backups. Run by hand.

    pip install atheris
    python benchmarks/fuzz_records.py records|journal|archive|backup CORPUS_FOLDER [libFuzzer's options, as -max_total_time=3600]

Any exception but the reader's own sentence is a finding, and so is an input that takes ten seconds or 600 MB. The seeds are
the tests' examples and, where it is there, ../shared/formats/fixtures. What was run, and for how long: docs/formats.md.
"""

from __future__ import annotations

import contextlib
import resource
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

import atheris

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

with atheris.instrument_imports(include=["controller"]):
    from controller.record.archive import Archive, ArchiveError
    from controller.record.backup import BackupError, make_backup, restore_backup
    from controller.record.check import check
    from controller.record.formats import _WRITERS, parse_record
    from controller.record.journal import Journal, JournalError
    from controller.record.model import RecordError
    from controller.record.native import decode_json, encode_json
    from controller.record.salvage import recover
    from controller.record.sgf_writer import write_sgf
    from controller.record.table import write_csv
from tests.record.examples import CRAWFORD, ILLEGAL, MONEY, example_records  # noqa: E402

MEMORY_MB = 600
SECONDS = 10
LONGEST = 6000
"""Bytes of an input; three games of a match."""

WORDS = (
    " Game 1", " point match", "Doubles => 2", "Takes", "Drops", "Wins 1 point", "and the match", "Cannot Move", "????",
    "Illegal play (", "Beavers => 4", "Raccoons => 8", "Resigns", "Losses 2 point", "bar/", "/off", "Zdvojnásobení na 2",
    "Přijato", "ven", "; [Variation", "NackGammon", "HyperGammon (3)", "MI[length:5]", "PL[W]DI[52]", "AE[a:y]", "AW[f]",
    "RU[Crawford:CrawfordGame]", "RE[B+2R]", "31hefe", "double", '"type":"play"', '"moves":[[8,5]]', "4HPwATDgc/ABMA",
)  # fmt: skip
"""Handed to the fuzzer as its dictionary."""


def fuzz_records(data: bytes) -> None:
    """Read, check and, one in eight, write in every format and read that back: writing takes ten times as long."""
    try:
        record = check(parse_record(data))
    except RecordError:
        return
    assert decode_json(encode_json(record)) == record
    if zlib.crc32(data) % 8:
        return
    for ending, write in _WRITERS.items():
        with contextlib.suppress(RecordError):
            written = write(record)
            if record.games and ending != ".csv":
                check(parse_record(written))


def fuzz_journal(data: bytes) -> None:
    """Open, and recover, a database and a log; the first two bytes say where the one ends."""
    with tempfile.TemporaryDirectory() as folder:
        cut = int.from_bytes(data[:2], "big")
        (Path(folder) / "j.db").write_bytes(data[2 : cut + 2])
        (Path(folder) / "j.db-wal").write_bytes(data[cut + 2 :])
        with contextlib.suppress(JournalError):
            recover(Path(folder) / "j.db", Path(folder) / "new.db")
        with contextlib.suppress(JournalError), Journal(Path(folder) / "j.db") as journal:
            list(journal.events())
            journal.append("play", 1, "{}", "b", "m", 1)


def fuzz_archive(data: bytes) -> None:
    """List, search, open, add."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.db"
        path.write_bytes(data)
        with contextlib.suppress(ArchiveError), Archive(path) as archive:
            for entry in (*archive.search(), *archive.search("jan", "final")):
                archive.get(entry.number)
            archive.add(example_records()["money"], ["new"])


def fuzz_backup(data: bytes) -> None:
    """Restore; nothing may come to lie outside of the folder."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "b.zip").write_bytes(data)
        with contextlib.suppress(BackupError):
            restore_backup(place / "b.zip", place / "in" / "here")
        assert {path.name for path in place.iterdir()} <= {"b.zip", "in"}


def seeds(target: str) -> list[bytes]:
    """What the fuzzer begins with."""
    if target == "records":
        records = example_records().values()
        own = [text.encode() for text in (CRAWFORD, MONEY, ILLEGAL)]
        own += [encode_json(record) for record in records] + [write_sgf(record) for record in records]
        folder = ROOT.parent / "shared" / "formats" / "fixtures"
        own += [write_csv(record) for record in records]
        return own + [path.read_bytes() for path in sorted(folder.glob("*")) if path.suffix != ".txt"]
    with tempfile.TemporaryDirectory() as folder:
        if target == "archive":
            with Archive(Path(folder) / "a.db") as archive:
                for record in example_records().values():
                    archive.add(record, ["final"])
            return [(Path(folder) / "a.db").read_bytes()]
        path = Path(folder) / "j.db"
        with Journal(path) as journal:
            for number in range(6):
                journal.append("play", 1, f'{{"n": {number}}}', "b", "m", 1)
            found, log = path.read_bytes(), path.with_name("j.db-wal").read_bytes()
        if target == "journal":
            return [len(d).to_bytes(2, "big") + d + w for d, w in ((found, log), (b"", log), (path.read_bytes(), b""))]
        make_backup(path, Path(folder) / "b.zip")
        return [(Path(folder) / "b.zip").read_bytes()]


def main() -> None:
    """Fill the corpus and start."""
    targets: dict[str, Callable[[bytes], None]] = {
        "records": fuzz_records,
        "journal": fuzz_journal,
        "archive": fuzz_archive,
        "backup": fuzz_backup,
    }
    if len(sys.argv) < 3 or sys.argv[1] not in targets:
        raise SystemExit(__doc__)
    name, corpus = sys.argv[1], Path(sys.argv[2])
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(name)):
        (corpus / f"seed-{number:03d}").write_bytes(seed)
    words = corpus.with_name(corpus.name + ".dict")
    words.write_text(
        "".join('"' + "".join(f"\\x{byte:02x}" for byte in word.encode()) + '"\n' for word in WORDS), encoding="ascii"
    )
    resource.setrlimit(resource.RLIMIT_AS, (4 * MEMORY_MB << 20, 4 * MEMORY_MB << 20))
    options = [f"-timeout={SECONDS}", f"-rss_limit_mb={MEMORY_MB}", f"-dict={words}", "-use_value_profile=1"]
    length = LONGEST if name == "records" else 60_000
    atheris.Setup([sys.argv[0], str(corpus), f"-max_len={length}", *options, *sys.argv[3:]], targets[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
