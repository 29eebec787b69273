"""Every step of a replay shows what the record says: checkers, bar, tray, cube and score, counted in a real Chromium."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import pytest

from controller.record.from_events import record_of
from controller.record.model import (
    BeaverAction,
    DoubleAction,
    Game,
    PlayAction,
    Player,
    RaccoonAction,
    Record,
    SetAction,
    TakeAction,
    TeamCubeAct,
    TeamGame,
)
from controller.rules import Position, Side, legal_plays, parse_ruleset, position_id
from tests.record.examples import example_records
from tests.referee.test_commands import Hand
from tests.web.browser import Browser, hasty
from tests.web.table import TableReferee
from web.app import create_app
from web.desk import Desk
from web.hub import ViewHub
from web.operator import MatchAnalysis, MatchLine, Mistake, PlayerAnalysis
from web.security import PinKeeper
from web.server import serve

START = {24: 2, 13: 5, 8: 3, 6: 5}
SEEN = """
const count = (side) => {
  const lying = [...document.querySelectorAll(`#board .checker.${side}`)].map((one) => one.dataset.place);
  return lying.map((place) => [place, lying.filter((other) => other === place).length]);
};
const cube = document.querySelector('#board .cube > g');
const points = (side) => document.querySelector(`.player[data-side=${side}] .score`).lastChild.textContent;
const scores = ['light', 'dark'].map((side) => Number(points(side)));
return [count('light'), count('dark'), Number(cube.querySelector('text').textContent), cube.dataset.owner, scores];
"""

Shown = tuple[dict[str, int], dict[str, int], int, str, list[int]]
"""Light's and dark's checkers by place, the cube, its owner, the score of light and dark."""


@dataclass
class Table:
    """The match so far, moved by hand from the record's moves: own numbers of each side, "bar" and "off" by name."""

    checkers: dict[str, Counter[str]]
    cube: int = 64
    owner: str = ""

    def play(self, side: str, moves: tuple[tuple[int, int], ...]) -> None:
        other = "dark" if side == "light" else "light"
        for source, target in moves:
            self.checkers[side][lights(side, source)] -= 1
            self.checkers[side][lights(side, target)] += 1
            if target and self.checkers[other][lights(side, target)] == 1:
                self.checkers[other][lights(side, target)] -= 1
                self.checkers[other]["bar"] += 1

    def shown(self, score: dict[str, int]) -> Shown:
        light, dark = ({place: n for place, n in self.checkers[side].items() if n} for side in ("light", "dark"))
        return light, dark, self.cube, self.owner, [score["light"], score["dark"]]


def lights(side: str, point: int) -> str:
    """A point of that side as the drawing names it."""
    if point in (0, 25):
        return "off" if point == 0 else "bar"
    return str(point if side == "light" else 25 - point)


def expected(record: Record) -> Iterator[Shown]:
    """What each step shows."""
    colours: list[str] = [player.color for player in record.players]
    for game in record.games:
        table = Table({side: Counter({lights(side, p): n for p, n in START.items()}) for side in ("light", "dark")})
        score = dict(zip(colours, game.score, strict=True))

        yield table.shown(score)
        for action in game.actions:
            side = colours[action.player]
            match action:
                case PlayAction(moves=moves):
                    table.play(side, moves)
                case DoubleAction(value=value) | RaccoonAction(value=value):
                    table.cube = value
                case BeaverAction(value=value):
                    table.cube, table.owner = value, side
                case TakeAction():
                    table.owner = side
            yield table.shown(score)
        if game.winner is not None and game.points is not None:
            score[colours[game.winner]] += game.points
            yield table.shown(score)


RECORDS = example_records()


class Keeper(TableReferee):
    """Keeps the matches of the tests."""

    def matches(self) -> tuple[MatchLine, ...]:
        (line,) = super().matches()
        return tuple(msgspec.structs.replace(line, id=identity) for identity in RECORDS)

    def match(self, identity: str, *, judged: bool) -> Record | None:
        return RECORDS.get(identity)


@pytest.mark.parametrize("identity", ["crawford", "money"])
def test_each_step_shows_the_board_the_cube_and_the_score_of_the_record(browser: Browser, identity: str) -> None:
    steps = list(expected(RECORDS[identity]))
    app = create_app(ViewHub(), streams=4, desk=Desk(Keeper(), PinKeeper(None)))
    with serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/replay?match={identity}#1")
        browser.wait_for("return document.body.dataset.step === '1'")
        assert browser.run("return document.querySelectorAll('#turns li').length") == len(steps)
        for number, (light, dark, cube, owner, score) in enumerate(steps, start=1):
            assert browser.run("return Number(document.body.dataset.step)") == number
            seen = browser.run(SEEN)
            assert [dict(seen[0]), dict(seen[1]), *seen[2:]] == [light, dark, cube, owner, score], number
            browser.run("document.getElementById('on').click()")
        browser.run("location.hash = '#3'")
        browser.wait_for("return document.body.dataset.step === '3'")
        seen = browser.run(SEEN)
        assert [dict(seen[0]), dict(seen[1]), *seen[2:]] == list(steps[2])


class Chouette(Keeper):
    """Three have played two games: the box has lost the first one, and its captain plays alone then. Then the captain passes."""

    def match(self, identity: str, *, judged: bool) -> Record | None:
        record = RECORDS["money"]
        first, second = (
            TeamGame(("Eva", "Jan", "Iva"), (), {"Eva": -4, "Jan": 2, "Iva": 2}),
            TeamGame(("Jan", "Iva", "Eva"), (TeamCubeAct("Iva", "double", 0, 1), TeamCubeAct("Iva", "pass", 1, 1))),
        )
        games = (
            Game((0, 0), False, 1, 1, (), team=first),
            Game((0, 1), False, None, None, record.games[0].actions[:2], team=second),
        )
        players = (Player("Eva", "light"), Player("Jan", "dark"))
        return msgspec.structs.replace(record, players=players, games=games)


def test_of_a_chouette_each_game_shows_who_plays_it_and_what_they_have_won(browser: Browser) -> None:
    app = create_app(ViewHub(), streams=4, desk=Desk(Chouette(), PinKeeper(None)))
    seated = """return ['light', 'dark'].map((side) => ['.name', '.score'].map(
        (part) => document.querySelector(`.player[data-side=${side}] ${part}`).lastChild.textContent))"""
    with serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/replay?match=money#1")
        found = []
        for step in ("1", "2", "3", "4", "5"):
            browser.wait_for("return document.body.dataset.step === arguments[0]", step)
            found.append(browser.run(seated))
            browser.run("document.getElementById('on').click()")
        assert found == [
            [["Eva", "0"], ["Jan", "0"]],
            [["Eva", "−4"], ["Jan", "2"]],
            [["Jan", "2"], ["Iva", "2"]],
            [["Jan", "2"], ["Iva", "2"]],
            [["Jan", "2"], ["Eva", "−4"]],
        ]
        told = browser.run("return document.querySelectorAll('#turns button')[1].innerText")
        assert "wins 2 points" in " ".join(told.split())  # of all cubes, whatever the game was worth


class Colours(Keeper):
    """Both roll 3-1 in turn. Then they change colours, and go on where Eva, who has the dark checkers now, owns the cube at 2 and
    has borne off all but three."""

    def match(self, identity: str, *, judged: bool) -> Record | None:
        board, actions = Position.start(), []
        for player, side in ((0, Side.LIGHT), (1, Side.DARK)):
            play = next(one for one in legal_plays(board, side, (3, 1)) if len(one.moves) == 2)
            before, board = board, play.result
            moves = tuple((move.source, move.target) for move in play.moves)
            ids = (position_id(one, side) for one in (before, board))
            actions.append(PlayAction(player, (3, 1), moves, *ids, True))  # type: ignore[arg-type]
        late = Position.of(light={24: 2, 13: 5, 8: 3, 6: 5}, dark={3: 2, 1: 1})
        games = (
            Game((0, 0), False, 0, 1, tuple(actions)),
            Game(
                (1, 0),
                False,
                None,
                None,
                (DoubleAction(0, 4),),
                start=position_id(late, Side.DARK),
                cube=2,
                owner=0,
                light=1,
            ),
        )
        players = (Player("Eva", "light"), Player("Jan", "dark"))
        return msgspec.structs.replace(RECORDS["money"], players=players, games=games)

    def analysis(self, identity: str) -> MatchAnalysis:
        players = tuple(PlayerAnalysis(name, None, 0, 0.0) for name in ("Eva", "Jan"))
        return MatchAnalysis(players, (Mistake(2, 1, 0, "double", "no double", 0.2),), ((), ()))


def test_each_game_shows_whose_colours_dice_and_cube_they_are_and_what_is_borne_off(browser: Browser) -> None:
    app = create_app(ViewHub(), streams=4, desk=Desk(Colours(), PinKeeper(None)))
    dice = "return document.querySelector('#board .dice rect:nth-of-type(2)').getAttribute('fill')"
    seated = """return ['light', 'dark'].map((side) => ['.name', '.score', '.facts'].map(
        (part) => document.querySelector(`.player[data-side=${side}] ${part}`).lastChild.textContent))"""
    with serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/replay?match=money#2")
        browser.wait_for("return document.body.dataset.step === '2'")
        assert browser.run(dice) == "url(#bone)"
        browser.run("document.getElementById('on').click()")
        assert browser.run(dice) == "url(#ebony)"
        browser.run("document.getElementById('game-on').click()")
        assert browser.run(seated) == [["Jan", "0", "167 pips"], ["Eva", "1", "12 off"]]
        assert browser.run(SEEN)[2:] == [2, "dark", [0, 1]]
        erred = "return document.querySelector('.errors .marker use').getAttribute('href')"
        assert browser.run(erred) == "#checker-dark"


class Beavered(Keeper):
    """A double is beavered, and the beaver taken or raccooned. cubes: how the cube lay after each line, as it is drawn."""

    def __init__(self, owner: str, answers: tuple[str, ...]) -> None:
        super().__init__()
        hand = Hand(0, parse_ruleset("money", ["cube.raccoon=true", f"cube.raccoon_owner={owner}"]))
        hand.turn((3, 1), "8/5 6/5", "light")
        self.cubes: list[list[object]] = []
        for kind in ("double", *answers):
            hand.say(kind)
            state = hand.state
            drawn = state.cube * 2 if state.offered_to else state.cube
            self.cubes.append([drawn, state.owner.value if state.owner else ""])
        self.record = record_of(hand.said)

    def match(self, identity: str, *, judged: bool) -> Record | None:
        return self.record


@pytest.mark.parametrize(
    ("owner", "answers"),
    [
        ("beaverer", ("take",)),
        ("beaverer", ("beaver", "take")),
        ("beaverer", ("beaver", "raccoon", "take")),
        ("doubler", ("beaver", "raccoon", "take")),
    ],
)
def test_the_cube_lies_as_it_lay_after_a_beaver(browser: Browser, owner: str, answers: tuple[str, ...]) -> None:
    kept = Beavered(owner, answers)
    app = create_app(ViewHub(), streams=4, desk=Desk(kept, PinKeeper(None)))
    with serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/replay?match=money#3")
        browser.wait_for("return document.body.dataset.step === '3'")
        for cube in kept.cubes:
            assert browser.run(SEEN)[2:4] == cube
            browser.run("document.getElementById('on').click()")


class PassedOver(Keeper):
    """A checker comes by a blot: by some rules that stays where it is."""

    def __init__(self, rules: str) -> None:
        super().__init__()
        hand = Hand(0, parse_ruleset(rules, []))
        stood = Position.of(light=START, dark={24: 2, 13: 1, 8: 4, 6: 5, 3: 3})
        hand.say("draw", light=4, dark=1)
        hand.say("position", position=position_id(stood, Side.LIGHT), turn="light")
        hand.say("roll", dice=[4, 1], side="light")
        hand.say("play", moves=[[13, 12], [12, 8]])
        self.record = record_of(hand.said)

    def match(self, identity: str, *, judged: bool) -> Record | None:
        return self.record


@pytest.mark.parametrize(("rules", "words"), [("text-004", "4-1: 13/8"), ("match", "4-1: 13/12*/8")])
def test_a_blot_that_a_checker_has_passed_is_not_called_hit(browser: Browser, rules: str, words: str) -> None:
    app = create_app(ViewHub(), streams=4, desk=Desk(PassedOver(rules), PinKeeper(None)))
    with serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/replay?match=money#2")
        browser.wait_for("return document.body.dataset.step === '2'")
        assert browser.run("return document.getElementById('status').textContent").endswith(words)


class Gap(Keeper):
    """Nobody saw what was played for a while; then a person has set the cube."""

    def match(self, identity: str, *, judged: bool) -> Record | None:
        gap = SetAction(0, position=position_id(Position.start(), Side.LIGHT), gap=12.0)
        game = Game((0, 0), False, None, None, (gap, SetAction(1, cube=2, owner=0)))
        return msgspec.structs.replace(RECORDS["money"], games=(game,))


def test_a_gap_is_nothing_that_a_person_has_set(browser: Browser) -> None:
    app = create_app(ViewHub(), streams=4, desk=Desk(Gap(), PinKeeper(None)))
    with serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/replay?match=money#1")
        browser.wait_for("return document.body.dataset.step === '1'")
        told = browser.run("return [...document.querySelectorAll('#turns button')].map((one) => one.innerText)")
        assert [" ".join(one.split()) for one in told[1:]] == [
            "2. a gap: nobody saw what was played",
            "3. set by hand",
        ]


class Hypergammon(Keeper):
    """With three checkers each; the first double is passed before anybody has rolled."""

    def match(self, identity: str, *, judged: bool) -> Record | None:
        game = Game((0, 0), False, None, None, (DoubleAction(0, 2),))
        return msgspec.structs.replace(RECORDS["money"], games=(game,), variation="hypergammon")


def test_hypergammon_is_played_with_three_checkers(browser: Browser) -> None:
    app = create_app(ViewHub(), streams=4, desk=Desk(Hypergammon(), PinKeeper(None)))
    with serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/replay?match=money#1")
        browser.wait_for("return document.body.dataset.step === '1'")
        light, dark, *_ = browser.run(SEEN)
        assert dict(light) == {"22": 1, "23": 1, "24": 1}
        assert dict(dark) == {"1": 1, "2": 1, "3": 1}


@pytest.mark.parametrize(
    ("place", "step", "is_there"),
    [
        ("", "1", True),
        ("#2", "2", True),
        ("#1.2", "3", True),
        ("#1.2.better", "3", True),
        ("#nonsense", "1", False),
        ("#-3", "1", False),
        ("#0", "1", False),
        ("#9.1", "1", False),
        ("#1.2.worse", "1", False),
    ],
)
def test_a_link_to_a_turn_that_is_not_there_says_so(browser: Browser, place: str, step: str, is_there: bool) -> None:
    app = create_app(ViewHub(), streams=4, desk=Desk(Keeper(), PinKeeper(None)))
    with serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/replay?match=crawford{place}")
        browser.wait_for("return document.body.dataset.step === arguments[0]", step)
        assert browser.run("return document.getElementById('strayed').hidden") is is_there
        browser.run("document.getElementById('on').click()")
        assert browser.run("return document.getElementById('strayed').hidden") is True
        browser.run("document.getElementById('first').click()")
        browser.run("dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', altKey: true }))")
        assert browser.run("return document.body.dataset.step") == "1"  # those keys are the browser's own
        browser.run("location.hash = '#1.999'")
        browser.wait_for("return !document.getElementById('strayed').hidden")
        first_after = (
            "return document.querySelectorAll('#turns li')[document.body.dataset.step]?.className ?? 'opening'"
        )
        assert browser.run(first_after) == "opening"  # the last of its game
        assert browser.complaints() == []


REFUSED = "history.replaceState = () => { throw new DOMException('refused', 'SecurityError'); };"
ADDRESS = (
    "const usual = History.prototype.replaceState; history.replaceState = (...more) => usual.apply(history, more);"
)


def test_a_key_held_down_goes_on_where_the_browser_takes_no_more_addresses(browser: Browser) -> None:
    """Safari refuses more than a hundred in some seconds."""
    app = create_app(ViewHub(), streams=4, desk=Desk(Keeper(), PinKeeper(None)))
    with hasty(browser), serve(app, "127.0.0.1", 0) as server:
        browser.open(f"http://127.0.0.1:{server.port}/replay?match=crawford")
        browser.wait_for("return document.body.dataset.step === '1'")
        browser.run(REFUSED)
        for _ in range(3):
            browser.run("dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }))")
        assert browser.run("return [document.body.dataset.step, location.hash]") == ["4", "#1.0"]
        browser.run(ADDRESS)
        browser.wait_for("return location.hash === '#1.3'")
        assert browser.complaints() == []
