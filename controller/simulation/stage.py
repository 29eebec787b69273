"""The simulated table as it stands now, and the hands that move things on it: what takes time yields scenes.

One scene is one frame; the clock is the number of scenes yielded. All things and all time of the simulation live here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Literal

from controller.rules import Position, Side
from controller.simulation.camera import Point3D
from controller.simulation.geometry import BoardShape, Seats
from controller.simulation.scene import (
    CheckerThing,
    CubeThing,
    DieThing,
    DrinkThing,
    HandThing,
    Pose,
    Scene,
    Solid,
    Thing,
)

Scenes = Iterator[Scene]

OffTo = Literal["tray", "bar", "outer board"]

REACH_SPEED = 75.0
"""cm a second at which a hand crosses the board."""

EXPOSURE = 0.014
"""Seconds that one picture takes: what moves is smeared by its way in that time."""

LEANING = (0.62, 0.8)
"""Radians by which a die leans that has one edge on the board and a checker's rim under its face."""

ON_TOP = 0.35
"""Share of the cocked dice that lie on a checker rather than against one."""

ON_TABLE, APART = 0.5, 0.15
"""Share of the throws that land on the table beside the board where dice count there, and of their dice that land elsewhere."""

AT_ONCE = 4
"""Checkers that two hands move together while the board is set up anew."""

SIDEWAYS, ALONG = 0.05, 0.02
"""How far askew a checker is put down, as shares of its radius (standard deviations)."""


class BackgammonSet:
    """Everything on and over the board. columns, bars, trays: checkers in the order they were put there.

    strays: what lies where nothing of the game belongs; rested: when the dice thrown last came to rest, virtual seconds;
    cube: None where none is played with; beside: places (x, y) on the table where dice may land as well, none where they may not;
    bar_beside: hit checkers are laid on the table, not on the bar; off_to: where those go that are borne off; one_pair: both
    throw light's dice; one_by_one: they lift one die, and later the other; spare: two dice lie on the bar; haste: how long they
    wait, of what others do.
    """

    def __init__(
        self,
        shape: BoardShape,
        seats: Seats,
        fps: float,
        rng: Random,
        *,
        cube: bool = True,
        bar_beside: bool = False,
        off_to: OffTo = "tray",
        one_pair: bool = False,
        one_by_one: bool = False,
        spare: bool = False,
        haste: float = 1.0,
        beside: Sequence[tuple[float, float]] = (),
    ) -> None:
        self.shape, self.seats, self.fps, self.rng = shape, seats, fps, rng
        self.beside, self.one_pair, self.one_by_one, self.haste = tuple(beside), one_pair, one_by_one, haste
        self.bar_beside, self.off_to = bar_beside, off_to
        self.columns: list[list[CheckerThing]] = [[] for _ in range(24)]
        self.bars: dict[Side, list[CheckerThing]] = {side: [] for side in Side}
        self.trays: dict[Side, list[CheckerThing]] = {side: [] for side in Side}
        self.dice: dict[Side, list[DieThing]] = {side: [] for side in Side}
        self.hands: dict[Side, HandThing] = {}
        self.held: list[Solid] = []
        self.strays: list[Solid] = []
        self.cube = self.cube_at(64, shape.cube_centred()) if cube else None
        self.spare = tuple(self._spare_die(number) for number in range(2)) if spare else ()
        self.frames = 0
        self.rested = 0.0

    @property
    def seconds(self) -> float:
        """Virtual time of the next scene."""
        return self.frames / self.fps

    def tick(self) -> Scene:
        """The scene now; time goes on by one frame."""
        self.frames += 1
        things: list[Thing] = [
            checker for pile in (*self.columns, *self.bars.values(), *self.trays.values()) for checker in pile
        ]
        for pair in self.dice.values():
            things.extend(pair)
        if self.cube is not None and not any(isinstance(thing, CubeThing) for thing in self.held):
            things.append(self.cube)
        return Scene((*things, *self.spare, *self.strays, *self.held, *self.hands.values()))

    def wait(self, seconds: float) -> Scenes:
        """Nothing happens for a while."""
        for _ in range(round(seconds * self.fps)):
            yield self.tick()

    def pause(self, least: float, most: float) -> Scenes:
        """Nothing happens for a while of a length between the two."""
        yield from self.wait(self.rng.uniform(least, most) * self.haste)

    # where things go

    def pile(self, side: Side, point: int) -> list[CheckerThing]:
        """The checkers on a side's point 1-24, on its bar (25) or in its tray (0)."""
        if point == 25:
            return self.bars[side]
        if point == 0:
            return self.trays[side]
        return self.columns[self.seats.column(side, point)]

    def place(self, side: Side, point: int) -> Point3D:
        """Where the next checker on that point, bar or tray comes to lie."""
        index = len(self.pile(side, point))
        if point == 25 and self.bar_beside:
            return self._beside_slot(index, side)
        if point == 25:
            return self.shape.bar_slot(index, side_at_top=self.seats.at_top(side))
        if point == 0 and self.off_to == "bar":
            return self.shape.bar_slot(index, side_at_top=self.seats.at_top(side.other))
        if point == 0 and self.off_to == "outer board":
            return self._outer_slot(side)
        if point == 0:
            return self.shape.tray_slot(index, right=self.seats.home_right, at_top=self.seats.at_top(side))
        return self.shape.slot(self.seats.column(side, point), index)

    def _outer_slot(self, side: Side) -> Point3D:
        """Where the next checker that is borne off lies on the side's outer board: up to five on the first free point."""
        for point in range(12, 6, -1):
            column = self.seats.column(side, point)
            x, y, _ = self.shape.slot(column, 2)
            near = [
                checker.side
                for pile in self.trays.values()
                for checker in pile
                if abs(checker.at[0] - x) < self.shape.pitch / 2 and abs(checker.at[1] - y) < self.shape.height / 4
            ]
            if not self.columns[column] and len(near) < 5 and set(near) <= {side}:
                return self.shape.slot(column, len(near))
        return self.shape.tray_slot(len(self.trays[side]), right=self.seats.home_right, at_top=self.seats.at_top(side))

    def _beside_slot(self, index: int, side: Side) -> Point3D:
        """Where a hit checker lies on the table: beyond the homes' end, in its owner's half."""
        x = self.shape.width + self.shape.margin + 6.0 if self.seats.home_right else -self.shape.margin - 6.0
        along = self.shape.height * 0.3 + 2.2 * self.shape.radius * index
        return x, along if self.seats.at_top(side) else self.shape.height - along, -self.shape.thickness

    def put(self, side: Side, point: int, number: int = 0) -> None:
        """A checker comes to lie on a point, bar or tray, a little askew."""
        x, y, z = self.place(side, point)
        radius = self.shape.radius
        jitter = min(3.0, max(-3.0, self.rng.gauss(0, 1)))
        at = (x + jitter * SIDEWAYS * radius, y + self.rng.gauss(0, 1) * ALONG * radius, z)
        self.pile(side, point).append(CheckerThing(side, at, self.rng.uniform(0, 6.28), number=number))

    def set_up(self, position: Position) -> None:
        """All checkers are put where the position has them, at once."""
        for pile in (*self.columns, *self.bars.values(), *self.trays.values()):
            pile.clear()
        number = 0
        for side in Side:
            for point, count in enumerate((*position.own(side), position.off(side)), start=1):
                for _ in range(count):
                    number += 1
                    self.put(side, point % 26, number)

    def cube_at(self, value: int, at: Point3D) -> CubeThing:
        """The cube lying at a place, a little turned."""
        return CubeThing(value, (at[0], at[1], at[2] + self.shape.cube / 2), self.rng.gauss(0, 0.08))

    # hands

    def _rest(self, side: Side) -> Point3D:
        """Where a hand waits, out of the picture."""
        across = self.shape.width * (0.5 + (0.12 if self.seats.throws_right(side) else -0.12))
        return across, -45.0 if self.seats.at_top(side) else self.shape.height + 45.0, 5.0

    def _hand(self, side: Side, tip: Point3D, pose: Pose, before: Point3D | None = None) -> None:
        rest = self._rest(side)
        elbow = (rest[0] + 0.15 * (tip[0] - rest[0]), rest[1])
        if abs(elbow[1] - tip[1]) < 8.0:
            elbow = (elbow[0], tip[1] + (-40.0 if self.seats.at_top(side) else 40.0))
        share = EXPOSURE * self.fps
        smear = (0.0, 0.0) if before is None else ((tip[0] - before[0]) * share, (tip[1] - before[1]) * share)
        self.hands[side] = HandThing(side, tip, elbow, pose, smear)

    def reach(self, side: Side, goal: Point3D, pose: Pose = "pinch", carried: Solid | None = None) -> Scenes:
        """The side's hand goes to a place, taking along what it carries."""
        start = self.hands[side].tip if side in self.hands else self._rest(side)
        way = math.dist(start[:2], goal[:2])
        steps = max(round((way / REACH_SPEED * self.rng.uniform(0.85, 1.25) + 0.1) * self.fps), 1)
        lift = min(way * 0.15, 5.0)
        before = start
        for step in range(1, steps + 1):
            share = (1 - math.cos(math.pi * step / steps)) / 2
            tip = (
                start[0] + share * (goal[0] - start[0]),
                start[1] + share * (goal[1] - start[1]),
                start[2] + share * (goal[2] - start[2]) + lift * math.sin(math.pi * step / steps),
            )
            self._hand(side, tip, pose, before)
            before = tip
            if carried is not None:
                self.held = [replace(carried, at=(tip[0], tip[1], max(tip[2] - 0.8, 0.3)))]
            yield self.tick()

    def withdraw(self, side: Side) -> Scenes:
        """The side's hand leaves the picture."""
        if side in self.hands:
            yield from self.reach(side, self._rest(side))
            del self.hands[side]

    def rest_hand(self, side: Side, at: tuple[float, float], seconds: float) -> Scenes:
        """The side's hand lies over the board for a while."""
        yield from self.reach(side, (at[0], at[1], 2.0), "flat")
        yield from self.wait(seconds)
        yield from self.withdraw(side)

    def carry(self, hand: Side, side: Side, source: int, target: int) -> Scenes:
        """A hand takes the last checker of `side` from a point, bar or tray to another (in that side's numbers)."""
        pile = self.pile(side, source)
        index = max(i for i, checker in enumerate(pile) if checker.side is side)
        checker = pile[index]
        x, y, z = checker.at
        yield from self.reach(hand, (x, y, z + 1.6))
        pile.pop(index)
        goal = self.place(side, target)
        yield from self.reach(hand, (goal[0], goal[1], goal[2] + 1.6), carried=replace(checker, held=True))
        self.held = []
        self.put(side, target, checker.number)
        yield self.tick()

    def fumble(self, side: Side, point: int) -> Scenes:
        """The hand takes the side's last checker of a point, thinks better of it, and puts it back a little askew."""
        yield from self.carry(side, side, point, point)

    def knock(self, hand: Side, first: int, moved: Sequence[tuple[Side, int, int]]) -> Scenes:
        """A hand goes over a column, and leaves checkers of a side, each given by its point, on other points of that side."""
        y = self.shape.height * (0.2 if first < 12 else 0.8)
        yield from self.reach(hand, (self.shape.column_x(first), y, 2.0), "flat")
        for side, source, target in moved:
            self._push(side, source, target)
        yield from self.withdraw(hand)

    def drop_checker(self, side: Side, seconds: float) -> Scenes:
        """A checker of the side's fullest point is knocked off the board, lies on the table, and is put back."""
        point = max(range(1, 25), key=lambda p: self._count(side, p))
        checker = self.pile(side, point)[-1]
        beside = (
            -self.shape.margin - 9.0 if self.seats.home_right else self.shape.width + self.shape.margin + 9.0,
            20.0,
        )
        yield from self.reach(side, (*checker.at[:2], checker.at[2] + 1.6))
        self.pile(side, point).remove(checker)
        self.strays.append(replace(checker, at=(*beside, -self.shape.thickness)))
        yield from self.withdraw(side)
        yield from self.wait(seconds)
        yield from self.reach(side, (*beside, 1.0))
        self.strays.clear()
        goal = self.place(side, point)
        yield from self.reach(side, (goal[0], goal[1], goal[2] + 1.6), carried=replace(checker, held=True))
        self.held = []
        self.put(side, point, checker.number)
        yield from self.withdraw(side)

    def put_drink(self, side: Side, seconds: float) -> Scenes:
        """A mug is put down between the points of one half, stays there for a while, and is taken away."""
        place = (self.shape.column_x(3), self.shape.height * 0.5, 0.0)
        rest = self._rest(side)
        mug = DrinkThing(place)
        yield from self.reach(side, (place[0], place[1], 9.0), "cup", mug)
        self.held, self.strays = [], [mug]
        yield self.tick()
        yield from self.withdraw(side)
        yield from self.wait(seconds)
        yield from self.reach(side, (place[0], place[1], 9.0), "cup")
        self.strays.clear()
        yield from self.reach(side, rest, "cup", mug)
        self.held = []
        del self.hands[side]

    # dice

    def throw(self, side: Side, values: tuple[int, ...], *, cocked: bool = False) -> Scenes:
        """The side throws dice into its half and draws its hand back. cocked: the last comes to rest on a checker."""
        right = self.seats.throws_right(side)
        top = self.seats.at_top(side)
        x = self.shape.width * (0.72 if right else 0.28) + self.rng.uniform(-4, 4)
        y = self.shape.height * (0.12 if top else 0.88)
        yield from self.reach(side, (x, y, 6.0), "cup")
        resting: list[DieThing] = []
        pair = Side.LIGHT if self.one_pair else side
        on_table = bool(self.beside) and self.rng.random() < ON_TABLE
        for number, value in enumerate(values):
            leaning = self.cocked(side, value) if cocked and number == len(values) - 1 else None
            strayed = bool(self.beside) and self.rng.random() < APART
            land = self.landed_beside if on_table != strayed else self.landed
            resting.append(leaning or land(side, value, resting))
        steps = max(round(self.rng.uniform(0.5, 0.8) * self.fps), 1)
        resting = [replace(die, side=pair) for die in resting]
        retreat = self.withdraw(side)
        for step in range(1, steps):
            self.dice[side] = [self._tumbling(die, (x, y), step / steps) for die in resting]
            yield next(retreat, None) or self.tick()
        self.dice[side] = resting
        self.rested = self.seconds
        yield next(retreat, None) or self.tick()
        yield from retreat

    def _tumbling(self, die: DieThing, start: tuple[float, float], share: float) -> DieThing:
        """A die on its way to where it comes to rest."""
        done = 1 - (1 - share) ** 2
        way = (die.at[0] - start[0], die.at[1] - start[1])
        bounce = abs(math.cos(share * 7)) * (1 - share) * 4 + die.at[2]
        speed = 2 * (1 - share) * EXPOSURE / 0.65
        return DieThing(
            die.side,
            self.rng.randint(1, 6),
            (start[0] + done * way[0], start[1] + done * way[1], bounce),
            self.rng.uniform(0, 6.28),
            self.rng.uniform(0, 1.2),
            self.rng.uniform(0, 6.28),
            (way[0] * speed, way[1] * speed),
        )

    def landed(self, side: Side, value: int, others: list[DieThing]) -> DieThing:
        """A die flat on a free place of the half into which the side throws."""
        shape, size = self.shape, self.shape.die
        left = shape.width / 2 + shape.bar / 2 if self.seats.throws_right(side) else 0.0
        around = [c for pile in self.columns for c in pile]
        dice = [*others, *(die for pair in self.dice.values() for die in pair)]
        best, best_room = (left + 3 * shape.pitch, shape.height / 2), -1.0
        for _ in range(60):
            x = left + self.rng.uniform(size, 6 * shape.pitch - size)
            y = shape.height * min(max(self.rng.gauss(0.5, 0.16), 0.08), 0.92)
            room = min((math.dist((x, y), c.at[:2]) - shape.radius for c in around), default=99.0) - size * 0.72
            room = min([room, *(math.dist((x, y), die.at[:2]) - size * 1.6 for die in dice)])
            if room > best_room:
                best, best_room = (x, y), room
            if room > 0.2:
                break
        return DieThing(side, value, (*best, size / 2), self.rng.uniform(0, 6.28))

    def landed_beside(self, side: Side, value: int, others: list[DieThing]) -> DieThing:
        """A die flat on the table beside the side's right half, or on the board where there is no room."""
        size, right = self.shape.die, self.seats.throws_right(side)
        lying = [*others, *(die for pair in self.dice.values() for die in pair)]
        free = [
            place
            for place in self.beside
            if (place[0] > self.shape.width / 2) == right
            and all(math.dist(place, d.at[:2]) > size * 1.6 for d in lying)
        ]
        if not free:
            return self.landed(side, value, others)
        return DieThing(
            side, value, (*self.rng.choice(free), size / 2 - self.shape.thickness), self.rng.uniform(0, 6.28)
        )

    def cocked(self, side: Side, value: int) -> DieThing | None:
        """A die leaning on the rim of a checker in the side's right half, or on top of it; None where there is none."""
        shape, size = self.shape, self.shape.die
        right = self.seats.throws_right(side)
        columns = [c for c in range(24) if self.columns[c] and (c % 12 >= 6) == right and len(self.columns[c]) <= 5]
        self.rng.shuffle(columns)
        lean = self.rng.uniform(*LEANING)
        out = shape.radius + shape.checker_height / math.tan(lean) + size / 2 * (math.sin(lean) - math.cos(lean))
        low = size / 2 * (math.cos(lean) + math.sin(lean))
        for column in columns:
            x, y, z = self.columns[column][-1].at
            if self.rng.random() < ON_TOP:
                return DieThing(side, value, (x, y, z + shape.checker_height + size / 2), self.rng.uniform(0, 6.28))
            bearing = (math.pi / 2 if column < 12 else -math.pi / 2) + self.rng.uniform(-0.4, 0.4)
            at = (x + out * math.cos(bearing), y + out * math.sin(bearing), low)
            rest = [c for pile in self.columns for c in pile if c is not self.columns[column][-1]]
            if all(math.dist(at[:2], c.at[:2]) > shape.radius + size * 0.8 for c in rest):
                return DieThing(side, value, at, bearing, lean, bearing)
        return None

    def _spare_die(self, number: int) -> DieThing:
        """A die that lies on the bar, beyond the place of the last hit checker that most games see."""
        x, y, z = self.shape.bar_slot(3, side_at_top=False)
        beside = (number - 0.5) * 1.2 * self.shape.die
        return DieThing(Side.LIGHT, 3 + number, (x + beside, y, z + self.shape.die / 2), 0.4 + number)

    def put_aside(self, side: Side, *also: Side) -> Scenes:
        """The side's hand lays its dice, and those of the sides in `also`, side by side out of the way, without turning them."""
        right = self.seats.throws_right(side)
        edge = self.shape.width - 1.2 * self.shape.die if right else 1.2 * self.shape.die
        number = 0
        for owner in (side, *also):
            for index, die in enumerate(tuple(self.dice[owner])):
                yield from self.reach(side, (*die.at[:2], die.at[2] + 0.8))
                self.dice[owner].remove(die)
                at = (
                    edge + (-1.3 if right else 1.3) * self.shape.die * number,
                    self.shape.height / 2,
                    self.shape.die / 2,
                )
                yield from self.reach(side, (at[0], at[1], at[2] + 0.8), carried=die)
                self.held = []
                self.dice[owner].insert(index, replace(die, at=at, lean=0.0))
                number += 1
                yield self.tick()
        yield from self.withdraw(side)

    def lift_dice(self, side: Side, *also: Side) -> Scenes:
        """The side's hand takes its own dice off the board, and those of the sides in `also`."""
        for owner in (side, *also):
            while self.dice[owner]:
                x, y, z = self.dice[owner][0].at
                yield from self.reach(side, (x, y, z + 0.8))
                self.dice[owner].pop(0)
                yield self.tick()
                if self.one_by_one:
                    yield from self.withdraw(side)
                    yield from self.pause(0.8, 1.6)
        yield from self.withdraw(side)

    def turn_die(self, owners: Sequence[Side]) -> None:
        """A die of these sides comes to lie on one of its other sides, as if a hand had touched it."""
        owner = self.rng.choice([side for side in owners if self.dice[side]])
        index = self.rng.randrange(len(self.dice[owner]))
        die = self.dice[owner][index]
        value = self.rng.choice([value for value in range(1, 7) if value not in (die.value, 7 - die.value)])
        self.dice[owner][index] = replace(die, value=value)

    # the cube

    def move_cube(self, side: Side, value: int, at: Point3D) -> Scenes:
        """The side's hand takes the cube, turns it to `value` and puts it down."""
        assert self.cube is not None
        x, y, z = self.cube.at
        yield from self.reach(side, (x, y, z + 1.5))
        yield from self.reach(
            side, (at[0], at[1], at[2] + self.shape.cube / 2 + 1.5), carried=replace(self.cube, value=value)
        )
        self.held = []
        self.cube = self.cube_at(value, at)
        yield self.tick()
        yield from self.withdraw(side)

    def offered_place(self, doubler: Side) -> Point3D:
        """Where the doubler pushes the cube."""
        to_top = not self.seats.at_top(doubler)
        return self.shape.cube_offered(to_top=to_top, right=self.seats.throws_right(doubler))

    def owned_place(self, owner: Side) -> Point3D:
        """Where the owner keeps the cube."""
        return self.shape.cube_owned(right=not self.seats.home_right, at_top=self.seats.at_top(owner))

    def reset(self, position: Position, *, with_cube: bool = True) -> Scenes:
        """Both players set the board up anew, a few checkers at a time, and one puts the cube back."""
        self.dice = {side: [] for side in Side}
        while moves := self._to_be_moved(position):
            for side in Side:
                share = self.rng.uniform(0.1, 0.9)
                y = self.shape.height * (0.3 if self.seats.at_top(side) else 0.7)
                yield from self.reach(side, (self.shape.width * share, y, 3.0), "flat")
            for side, source, target in moves[:AT_ONCE]:
                self._push(side, source, target)
        yield from self.withdraw(Side.DARK)
        if self.cube is not None and with_cube:
            yield from self.move_cube(Side.LIGHT, 64, self.shape.cube_centred())

    def _push(self, side: Side, source: int, target: int) -> None:
        """A checker of a side goes from one pile to another at once; what lay above it slides down."""
        pile = self.pile(side, source)
        lying = list(pile)
        gone = next(checker for checker in reversed(lying) if checker.side is side)
        pile.clear()
        for checker in lying:
            if checker is not gone:
                at = source if checker.side is side or source in (0, 25) else 25 - source
                self.put(checker.side, at, checker.number)
        self.put(side, target, gone.number)

    def _to_be_moved(self, position: Position) -> list[tuple[Side, int, int]]:
        """(side, from, to): checkers that stand where the position has none, and where they belong."""
        found = []
        for side in Side:
            want = (position.off(side), *position.own(side))
            spare = [self._count(side, p) for p in range(26)]
            over = [p for p in range(26) for _ in range(spare[p] - want[p])]
            under = [p for p in range(26) for _ in range(want[p] - spare[p])]
            found += [(side, source, target) for source, target in zip(over, under, strict=True)]
        return found

    def _count(self, side: Side, point: int) -> int:
        return sum(checker.side is side for checker in self.pile(side, point))
