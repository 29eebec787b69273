"""Games of key frames on boards of any make, modelled and path-traced by Blender: each on another board, under another light.

    pip install bpy ; python benchmarks/lit_games.py FOLDER --seeds 1-3 [--turns 24] [--by-hand]
    python benchmarks/worse.py FOLDER --only plain   (with degrade.py and score_turns.py in FOLDER; late.py and filmed.py, too)

FOLDER/games/SEED holds the frames of a game and the game (`game.json`, in the form of the rendered games); a frame takes 10 s of
two cores, and a run that was stopped goes on. Each turn is a frame with its dice and one after the play; every third is begun
under an arm. Checkers that nobody moves stay where they lie. Nothing learns from these games, no constant is fitted on them.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

import click
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.lit_boards import developed
from benchmarks.seeds import seeds_in
from controller.rules import Position, Side, legal_plays, position_id
from controller.simulation.players import best_play
from terms.board import CORNERS

UNDER_AN_ARM = 3
"""Every so many turns a turn has a frame in which an arm reaches over the board."""


@dataclass(frozen=True)
class Rest:
    """One frame. event: as the rendered games call it; dice: what lies on the board; turn: the one whose throw that is."""

    event: Literal["before_roll", "after_roll", "mid_move", "after_move"]
    position: Position
    dice: tuple[int, ...]
    turn: int


def played(seed: int, turns: int) -> tuple[list[Rest], list[dict[str, Any]]]:
    """The frames of a game of at most so many turns, and its turns as `game.json` has them."""
    rng = Random(f"lit game {seed}")
    position, side = Position.start(), Side.LIGHT
    rests, rows = [Rest("before_roll", position, (), 0)], []
    for number in range(turns):
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        if number == 0:
            while dice[0] == dice[1]:
                dice = (rng.randint(1, 6), rng.randint(1, 6))
            side = rng.choice(list(Side))
        plays = legal_plays(position, side, dice)
        after = (rng.choice(plays) if rng.random() < 0.15 else best_play(plays, side)).result
        rests.append(Rest("after_roll", position, dice, number))
        if number % UNDER_AN_ARM == 0:
            rests.append(Rest("mid_move", position, dice, number))
        rests.append(Rest("after_move", after, dice, number))
        ids = {"before": position_id(position, side), "after": position_id(after, side)}
        rows.append({"turn": number, "player": side.value, "cube": [], "dice": list(dice)} | ids)
        if after.off(side) == after.checkers:
            break
        position, side = after, side.other
    return rests, rows


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--seeds", default="1-3", show_default=True)
@click.option("--turns", default=24, show_default=True, help="Turns of a game at most.")
@click.option("--by-hand", is_flag=True, help="Each frame from elsewhere, one in five from any side of the table.")
def main(folder: Path, seeds: str, turns: int, by_hand: bool) -> None:
    """Makes them."""
    from benchmarks.lit.picture import Held
    from benchmarks.lit.table import Table

    for seed in seeds_in(seeds):
        game = folder / "games" / str(seed)
        game.mkdir(parents=True, exist_ok=True)
        rests, rows = played(seed, turns)
        home = Random(f"lit game {seed} seats").choice(CORNERS)
        said = {
            "light_home": home,
            "frames": len(rests),
            "turns": rows,
            "start": position_id(Position.start(), Side.LIGHT),
        }
        (game / "game.json").write_text(json.dumps(said, indent=1), encoding="utf-8")
        table = Table(seed)
        for number, rest in enumerate(rests):
            frame = game / f"frame_{number:04d}.jpg"
            if frame.exists():
                continue
            raw = game / "raw.png"
            under = rest.event == "mid_move"
            held, stand = Held.of(rest.position, home), f"held {number}" if by_hand else ""
            corners = table.photograph(held, rest.dice, rest.turn, raw, arm=under, stand=stand)
            taken = developed(Random(f"lit game {seed} camera"), np.asarray(cv2.imread(str(raw)), np.uint8))
            raw.unlink()
            cv2.imwrite(str(frame), taken, [cv2.IMWRITE_JPEG_QUALITY, 85])
            with (game / "truth.jsonl").open("a", encoding="utf-8") as rows_of_frames:
                shown = {"frame": number, "event": rest.event, "turn": rest.turn}
                rows_of_frames.write(json.dumps({"file": frame.name, "corners": corners, "game": shown}) + "\n")


if __name__ == "__main__":
    main()
