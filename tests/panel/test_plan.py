"""The plan: what lamps show for a state of the game, in signals and in words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.panel.adapter import Button
from controller.panel.adjusted import STALE_S, AdjustedPanel
from controller.panel.messages import LAMP_NAMES, lamp_codes
from controller.panel.plan import (
    Cue,
    LampSignal,
    PanelState,
    PointLamp,
    Rhythm,
    Role,
    Tint,
    display,
    for_role,
    lamps,
    words,
)
from controller.panel.virtual import VirtualPanel
from controller.referee.move_hints import Lifted
from controller.rules.side import Side
from firmware import cues as firmware_cues
from firmware import messages as wire

SIDES = st.sampled_from((None, Side.LIGHT, Side.DARK))
STATES = st.builds(
    PanelState,
    turn=SIDES,
    error=st.booleans(),
    cube_value=st.sampled_from([2**n for n in range(13)]),
    cube_owner=SIDES,
    offered_to=SIDES,
    points=st.lists(st.tuples(st.integers(0, 25), st.sampled_from(PointLamp)), max_size=6).map(tuple),
    host_ok=st.booleans(),
    brightness=st.integers(0, 255),
    every=st.booleans(),
)


@pytest.mark.parametrize(
    ("state", "said", "text"),
    [
        (PanelState(None, False, 1), (), " 64 "),
        (PanelState(Side.LIGHT, False, 1), ("turn: light",), " 64 "),
        (PanelState(Side.DARK, True, 2, Side.DARK), ("turn: dark", "error", "cube 2: dark"), "d  2"),
        (PanelState(Side.LIGHT, False, 64, Side.LIGHT), ("turn: light", "cube 64: light"), "L 64"),
        (PanelState(Side.LIGHT, False, 2, Side.LIGHT, Side.DARK), ("turn: light", "cube 4: offered to dark"), "-  4"),
        (PanelState(None, False, 1, host_ok=False), ("no view of the board",), " 64 "),
    ],
)
def test_words_and_display_name_what_is_lit(state: PanelState, said: tuple[str, ...], text: str) -> None:
    assert words(state) == said
    assert display(state) == text


def test_the_centred_cube_lights_no_cube_lamp() -> None:
    assert not [name for name in lamps(PanelState(Side.LIGHT, True, 1)) if name.startswith("cube")]


def test_an_offer_flashes_the_value_the_cube_would_have() -> None:
    assert lamps(PanelState(None, False, 8, Side.LIGHT, Side.DARK)) == {"cube 16": LampSignal(Rhythm.DOUBLE, Tint.CUBE)}


def test_a_flag_and_a_lost_view_differ_in_rhythm_on_the_same_lamp() -> None:
    flagged = lamps(PanelState(Side.LIGHT, True, 1))
    blind = lamps(PanelState(Side.LIGHT, False, 1, host_ok=False))
    assert flagged["error"].rhythm is Rhythm.FAST
    assert blind["error"].rhythm is Rhythm.SLOW
    assert flagged["turn light"].rhythm is Rhythm.STEADY
    assert blind["turn light"].rhythm is Rhythm.SLOW


@pytest.mark.parametrize(
    ("side", "lit"),
    [
        (Side.LIGHT, {"bar light": Tint.SOURCE, "point 22": Tint.GOAL, "point 20": Tint.GOAL}),
        (Side.DARK, {"bar dark": Tint.SOURCE, "point 3": Tint.GOAL, "point 5": Tint.GOAL}),
    ],
)
def test_a_coach_shows_where_a_lifted_checker_may_go_in_its_owners_numbers(side: Side, lit: dict[str, Tint]) -> None:
    state = for_role(PanelState(side), "coach", Lifted(25, (22, 20, 0)))
    shown = {name: look.tint for name, look in lamps(state).items() if not name.startswith("turn")}
    assert shown == lit


@pytest.mark.parametrize("role", ["recorder", "monitor"])
def test_nobody_but_a_coach_shows_hints(role: Role) -> None:
    state = for_role(PanelState(Side.LIGHT), role, Lifted(8, (3, 5)))
    assert set(lamps(state)) == {"turn light"}


def test_a_recorder_is_silent_about_mistakes() -> None:
    state = for_role(PanelState(Side.DARK, True, 2, Side.DARK, cue=Cue.MISTAKE, cue_number=3, sound=True), "recorder")
    assert set(lamps(state)) == {"turn dark", "cube 2"}
    assert (state.cue, state.sound) == (None, False)
    assert for_role(PanelState(Side.DARK, cue=Cue.ROLL), "recorder").cue is Cue.ROLL


def test_a_table_may_want_it_dim_and_quiet() -> None:
    panel = VirtualPanel()
    adjusted = AdjustedPanel(panel, 40, sound=False)
    adjusted.show(PanelState(Side.LIGHT, True, 2, Side.LIGHT, sound=True, cue=Cue.MISTAKE, cue_number=1))
    assert (panel.state.brightness, panel.state.sound, panel.state.error) == (40, False, True)
    AdjustedPanel(panel, 255, sound=True).show(for_role(PanelState(Side.LIGHT, sound=True), "recorder"))
    assert (panel.state.brightness, panel.state.sound) == (255, False)
    panel.press(Button.CUBE)
    assert [press.button for press in adjusted.presses()] == [Button.CUBE]
    assert adjusted.status() == panel.status()


def test_a_press_from_before_the_program_ran_no_longer_counts() -> None:
    panel, now = VirtualPanel(), time.monotonic()
    adjusted = AdjustedPanel(panel, 128, sound=True, clock=lambda: now)
    panel.press(Button.UNDO)
    now = time.monotonic() + STALE_S + 1
    assert adjusted.presses() == ()
    assert adjusted.status().endswith("Presses too old to count: 1.")
    now = time.monotonic() + STALE_S - 1
    panel.press(Button.CUBE)
    assert [press.button for press in adjusted.presses()] == [Button.CUBE]


def test_whoever_tries_the_lamps_sees_all_of_them() -> None:
    state = PanelState(every=True)
    assert set(lamps(state)) == set(LAMP_NAMES)
    assert all(lamp_codes(state))
    assert len(words(state)) == len(LAMP_NAMES)
    assert display(state) == "8888"


@given(STATES)
def test_every_lit_lamp_has_a_place_on_the_wire(state: PanelState) -> None:
    lit = lamps(state)
    assert set(lit) <= set(LAMP_NAMES)
    codes = lamp_codes(state)
    assert [name for name, code in zip(LAMP_NAMES, codes, strict=True) if code] == [n for n in LAMP_NAMES if n in lit]
    assert len(display(state)) == 4


def test_lamps_lie_where_the_controller_has_them() -> None:
    assert len(LAMP_NAMES) == wire.LAMPS
    assert len(firmware_cues.DURATION_MS) == wire.CUES
    assert LAMP_NAMES.index("point 1") == wire.POINTS
    assert LAMP_NAMES.index("turn light") == wire.TURN_LIGHT
    assert LAMP_NAMES.index("error") == wire.ERROR
    assert LAMP_NAMES.index("cube 2") == wire.CUBE
