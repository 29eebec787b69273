"""What simulated players do otherwise than most, and do no wrong with."""

from __future__ import annotations

from functools import cache
from itertools import groupby, pairwise
from typing import get_args

import pytest

from controller.rules import Position, Side
from controller.simulation import (
    Doubled,
    Drawn,
    Filming,
    GameBegun,
    Manner,
    SimulatedMatch,
    SimulatedTable,
    Taken,
    TurnPlayed,
)
from controller.simulation.geometry import Seats
from controller.simulation.scene import CheckerThing, CubeThing, DieThing, HandThing, Scene
from tests.simulation.boards import columns_of, expected_columns

SEED, FPS = 2, 3


@cache
def watched(manner: Manner) -> tuple[SimulatedTable, tuple[Scene, ...]]:
    """A match of three games, every scene of it."""
    table = SimulatedTable(SEED, SimulatedMatch("none", 0, games=3, manners=frozenset({manner})), Filming(fps=FPS))
    return table, tuple(table.scenes())


def cubes(scene: Scene) -> list[CubeThing]:
    return [thing for thing in scene.things if isinstance(thing, CubeThing)]


def dice(scene: Scene) -> list[DieThing]:
    return [thing for thing in scene.things if isinstance(thing, DieThing)]


def at(table: SimulatedTable, scenes: tuple[Scene, ...], seconds: float) -> Scene:
    return scenes[min(round(seconds * table.fps), len(scenes) - 1)]


def test_both_throw_one_pair_and_leave_it_until_the_next_throw() -> None:
    table, scenes = watched("one pair of dice")
    assert {die.side for scene in scenes for die in dice(scene)} == {Side.LIGHT}
    assert max(len(dice(scene)) for scene in scenes) == 2
    turns = [event for event in table.truth if isinstance(event, TurnPlayed)]
    later = [turn for turn in turns if turn.before != Position.start()]
    assert all(len(dice(at(table, scenes, turn.seconds))) == 2 for turn in later)


def test_dice_are_taken_up_before_the_last_checker_is_moved() -> None:
    table, scenes = watched("dice lifted first")
    turns = [
        event for event in table.truth if isinstance(event, TurnPlayed) and event.play and len(event.play.moves) > 1
    ]
    before = [at(table, scenes, turn.seconds - 2.0) for turn in turns]
    moving = [any(isinstance(thing, HandThing) for thing in scene.things) and not dice(scene) for scene in before]
    assert sum(moving) > len(turns) / 2


def test_a_cube_that_nobody_turns_shows_its_64_wherever_it_lies() -> None:
    _, scenes = watched("cube never turned")
    lying = [cube for scene in scenes for cube in cubes(scene)]
    assert {cube.value for cube in lying} == {64}
    assert len({(round(cube.at[0]), round(cube.at[1])) for cube in lying}) > 1


def test_a_cube_that_is_offered_by_word_never_lies_among_the_checkers() -> None:
    table, scenes = watched("doubles by word")
    shape = table.look.shape
    held = [any(isinstance(thing, HandThing) for thing in scene.things) for scene in scenes]
    for (scene, moves), (after, _) in pairwise(zip(scenes, held, strict=True)):
        if not moves and cubes(scene) == cubes(after):
            (cube,) = cubes(scene)
            assert abs(cube.at[0] - shape.width / 2) < shape.bar or not 0 < cube.at[0] < shape.width


def test_a_cube_is_put_back_in_the_course_of_the_next_game() -> None:
    table, scenes = watched("cube put back late")
    begun = [event for event in table.truth if isinstance(event, GameBegun)][1:]
    ended = [cubes(at(table, scenes, game.seconds - 1.0))[0] for game in begun]
    assert [cubes(at(table, scenes, game.seconds))[0] for game in begun] == ended
    turns = [event for event in table.truth if isinstance(event, TurnPlayed)]
    for game in begun:
        fifth = [turn for turn in turns if turn.game == game.game][4]
        assert cubes(at(table, scenes, fifth.rolled))[0].value == 64


def test_hit_checkers_lie_on_the_table_until_they_come_in() -> None:
    table, scenes = watched("hit checkers aside")
    shape, aside = table.look.shape, 0
    for scene in scenes:
        lying = [thing for thing in scene.things if isinstance(thing, CheckerThing) and not thing.held]
        assert not [one for one in lying if abs(one.at[0] - shape.width / 2) < shape.bar / 2]
        aside += sum(one.at[2] < 0 for one in lying)
    assert aside


@pytest.mark.parametrize("manner", ["borne off to the bar", "borne off to the outer board"])
def test_what_is_borne_off_lies_on_the_board_and_never_in_a_tray(manner: Manner) -> None:
    table = SimulatedTable(SEED, SimulatedMatch("none", 1, manners=frozenset({manner})), Filming(fps=FPS))
    scenes, shape, lying = tuple(table.scenes()), table.look.shape, 0
    for turn in (event for event in table.truth if isinstance(event, TurnPlayed) and event.after.off(event.side)):
        things = [thing for thing in at(table, scenes, turn.seconds).things if isinstance(thing, CheckerThing)]
        assert all(-shape.radius < thing.at[0] < shape.width + shape.radius for thing in things if not thing.held)
        lying += 1
    assert lying


def test_dice_are_laid_side_by_side_before_anybody_moves_a_checker() -> None:
    table, scenes = watched("dice put aside")
    shape, aside = table.look.shape, 0
    for event in (event for event in table.truth if isinstance(event, TurnPlayed)):
        lying = dice(at(table, scenes, event.seconds - 1.5))
        xs, ys = [one.at[0] for one in lying], {one.at[1] for one in lying}
        aside += ys == {shape.height / 2} and all(abs(x - shape.width / 2) > 4 * shape.pitch for x in xs)
        assert not lying or {one.value for one in lying} <= set(event.dice)
    assert aside


def test_a_third_pair_lies_on_the_bar_all_the_time() -> None:
    table, scenes = watched("spare dice")
    for scene in scenes:
        assert sum(abs(one.at[0] - table.look.shape.width / 2) < table.look.shape.bar / 2 for one in dice(scene)) >= 2


def test_plays_are_tried_out_and_taken_back() -> None:
    """Twice as often as not a turn takes longer than one in which nothing is tried."""
    tried, plain = watched("plays tried out")[0], watched("doubles by word")[0]
    times = [[e.seconds - e.rolled for e in table.truth if isinstance(e, TurnPlayed)] for table in (tried, plain)]
    assert sum(times[0]) / len(times[0]) > 1.5 * sum(times[1]) / len(times[1])


def test_players_in_a_hurry_wait_for_nothing() -> None:
    hurried, plain = watched("in a hurry")[0], watched("doubles by word")[0]
    times = [[e.seconds - e.rolled for e in table.truth if isinstance(e, TurnPlayed)] for table in (hurried, plain)]
    assert sum(times[0]) / len(times[0]) < 0.9 * sum(times[1]) / len(times[1])


def test_one_checker_of_each_set_up_stands_a_point_off_and_is_put_right_where_it_still_does() -> None:
    truth = watched("set up wrong")[0].truth
    put_right = 0
    for game in (event.game for event in truth if isinstance(event, GameBegun)):
        turns = [event for event in truth if isinstance(event, TurnPlayed) and event.game == game]
        own = [(turns[0].before.own(side), Position.start().own(side)) for side in Side]
        off = [point for is_, should in own for point, (a, b) in enumerate(zip(is_, should, strict=True)) if a != b]
        assert len(off) == 2
        assert off[1] - off[0] == 1
        moved = [number for number, (a, b) in enumerate(pairwise(turns), start=2) if a.after != b.before]
        assert moved in ([], [5])
        put_right += len(moved)
    assert put_right


def test_each_game_is_set_up_with_the_homes_at_the_other_end() -> None:
    table, scenes = watched("ends exchanged")
    ends = []
    for game in (event for event in table.truth if isinstance(event, GameBegun)):
        seats = Seats(table.light_home)
        shown = columns_of(at(table, scenes, game.seconds + 0.5), table.look.shape)
        ends.append([shown == expected_columns(Position.start(), one) for one in (seats, seats.other_way_round())])
    assert ends == [[True, False], [False, True], [True, False]]


def throws(scenes: tuple[Scene, ...]) -> list[int]:
    """How many dice lay there most, each time that any did."""
    return [max(len(dice(one)) for one in some) for lie, some in groupby(scenes, lambda one: bool(dice(one))) if lie]


def held(scene: Scene) -> bool:
    """A hand carries a checker."""
    return any(isinstance(thing, CheckerThing) and thing.held for thing in scene.things)


def turns_of(table: SimulatedTable) -> list[TurnPlayed]:
    return [event for event in table.truth if isinstance(event, TurnPlayed)]


def test_now_and_then_a_die_falls_to_the_floor_and_both_are_thrown_again() -> None:
    table, scenes = watched("die off the board")
    assert throws(scenes).count(1) > 2
    tied = sum(isinstance(event, Drawn) and event.light == event.dark for event in table.truth)
    assert throws(scenes).count(2) == len(turns_of(table)) + tied


def test_throws_are_called_off_and_thrown_again() -> None:
    table, scenes = watched("throws called off")
    assert set(throws(scenes)) == {2}
    assert len(throws(scenes)) > len(turns_of(table)) + 2


def test_each_throws_into_either_half() -> None:
    table, scenes = watched("into either half")
    middle = table.look.shape.width / 2
    lying = {(die.side, die.at[0] > middle) for scene in scenes for die in dice(scene) if not any(die.smear)}
    assert lying == {(side, right) for side in Side for right in (False, True)}


def test_a_hand_turns_a_die_while_checkers_are_moved() -> None:
    _, scenes = watched("dice knocked over")
    pairs = [{die.at: die.value for die in dice(scene)} for scene in scenes]
    turned = [at for one, other in pairwise(pairs) for at in one.keys() & other.keys() if one[at] != other[at]]
    assert len(turned) > 2


def test_dice_are_lifted_before_a_checker_is_moved() -> None:
    _, scenes = watched("dice lifted at once")
    carried = [scene for scene in scenes if held(scene)]
    assert carried
    assert not any(dice(scene) for scene in carried)


def test_dice_are_lifted_one_after_the_other() -> None:
    table, scenes = watched("dice lifted one by one")
    alone = [
        scene
        for turn in turns_of(table)
        for scene in scenes[round(turn.rolled * FPS) : round(turn.seconds * FPS)]
        if len(dice(scene)) == 1 and not any(isinstance(one, HandThing) for one in scene.things)
    ]
    assert len(alone) > len(turns_of(table))


def test_turns_are_played_otherwise_once_their_dice_are_lifted() -> None:
    table, scenes = watched("changed after lifting")
    changed = 0
    for turn in turns_of(table):
        during = scenes[round(turn.rolled * FPS) + 1 : round(turn.seconds * FPS)]
        changed += any(held(scene) and not dice(scene) for scene in during)
    assert changed > 2


Between = list[tuple[Scene, bool]]


def between_turns(table: SimulatedTable, scenes: tuple[Scene, ...]) -> list[Between]:
    """For each two turns of a game, the scenes from the one's end to the other's throw, and whether what it left stands there."""
    seats, shape, turns = Seats(table.light_home), table.look.shape, turns_of(table)
    return [
        [
            (scene, columns_of(scene, shape) == expected_columns(one.after, seats))
            for scene in scenes[round(one.seconds * FPS) + 1 : round(other.rolled * FPS)]
        ]
        for one, other in pairwise(turns)
        if one.game == other.game
    ]


@pytest.mark.parametrize("manner", ["checkers knocked over", "positions talked over"])
def test_what_is_moved_between_turns_is_put_back(manner: Manner) -> None:
    between = between_turns(*watched(manner))
    assert sum(not all(stands for _, stands in scenes) for scenes in between) > 2
    assert all(scenes[-1][1] for scenes in between)
    assert not any(dice(scene) for scenes in between for scene, stands in scenes if not stands)


def test_the_last_game_stands_there_until_the_first_is_set_up() -> None:
    table, scenes = watched("last game left")
    seats, begun = Seats(table.light_home), next(event for event in table.truth if isinstance(event, GameBegun))
    start = expected_columns(Position.start(), seats)
    assert columns_of(scenes[0], table.look.shape) != start
    assert columns_of(at(table, scenes, begun.seconds + 0.5), table.look.shape) == start


def test_without_a_cube_nobody_doubles() -> None:
    table, scenes = watched("no cube")
    assert not any(cubes(scene) for scene in scenes)
    assert not any(isinstance(event, Doubled) for event in table.truth)


def test_a_cube_that_is_taken_stays_where_it_was_offered() -> None:
    match = SimulatedMatch("none", 3, manners=frozenset({"cube left where offered"}))
    table = SimulatedTable(2420, match, Filming(fps=FPS))
    scenes = tuple(table.scenes())
    taken = [event for event in table.truth if isinstance(event, Taken)]
    assert taken
    for event in taken:
        (before,), (after,) = (cubes(at(table, scenes, event.seconds + s)) for s in (-1.0, 2.0))
        assert (before.at, before.value) == (after.at, event.value)


def test_a_checker_is_put_back_a_point_off_and_the_game_goes_on_from_there() -> None:
    table, _ = watched("checkers put back wrong")
    off = 0
    for one, other in pairwise(turns_of(table)):
        if one.game == other.game and one.after != other.before:
            off += 1
            moved = [
                {
                    point: b - a
                    for point, (a, b) in enumerate(zip(one.after.own(side), other.before.own(side), strict=True))
                }
                for side in Side
            ]
            points = sorted(point for counts in moved for point, by in counts.items() if by)
            assert len(points) == 2
            assert points[1] - points[0] == 1
    assert off > 2


def test_turns_are_played_otherwise_once_the_opponent_has_thrown() -> None:
    table, scenes = watched("changed after the next throw")
    changed = 0
    for turn in turns_of(table):
        during = scenes[round(turn.rolled * FPS) + 1 : round(turn.seconds * FPS)]
        changed += {die.side for scene in during for die in dice(scene) if turn.before != Position.start()} == set(Side)
    assert changed > 2


def test_whoever_wins_the_opening_throws_anew() -> None:
    table, _ = watched("opening thrown afresh")
    for drawn, turn in pairwise(event for event in table.truth if isinstance(event, Drawn | TurnPlayed)):
        if isinstance(drawn, Drawn) and isinstance(turn, TurnPlayed):
            assert turn.side is (Side.LIGHT if drawn.light > drawn.dark else Side.DARK)
            assert turn.rolled > drawn.seconds + 1


MOVED_OTHERWISE = ("set up wrong", "checkers put back wrong")


@pytest.mark.parametrize("manner", [manner for manner in get_args(Manner) if manner not in MOVED_OTHERWISE])
def test_every_turn_is_played_from_where_the_last_one_ended(manner: Manner) -> None:
    position = Position.start()
    for event in watched(manner)[0].truth:
        if isinstance(event, GameBegun):
            position = Position.start()
        if isinstance(event, TurnPlayed):
            assert event.before == position
            position = event.after
