"""What the referee says about a position seen after a roll: legal, or every reason why not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import (
    LANGUAGES,
    PRESETS,
    Position,
    Reason,
    RulesError,
    Side,
    Verdict,
    format_play,
    judge,
    legal_plays,
    reason,
    reason_codes,
    ruleset_from,
)
from controller.rules.codes import Code
from tests.rules.boards import ROLLS, SIDES, board, positions

LIGHT, DARK = Side.LIGHT, Side.DARK
START = Position.start()


def verdict(before: Position, dice: tuple[int, int], seen: Position) -> Verdict:
    return judge(before, LIGHT, dice, seen)


def said(found: Verdict) -> list[str]:
    assert not found.legal
    assert found.play is None
    return [r.text() for r in found.reasons]


def test_a_legal_play_is_named() -> None:
    found = verdict(START, (3, 1), board("24:2 13:5 8:2 6:4 5:2", "24:2 13:5 8:3 6:5"))
    assert found.legal
    assert found.play is not None
    assert format_play(found.play) == "8/5 6/5"
    assert found.reasons == ()


def test_r05_the_play_does_not_match_the_roll() -> None:
    seen = board("24:2 13:5 8:2 6:4 4:2", "24:2 13:5 8:3 6:5")
    assert said(verdict(START, (6, 5), seen)) == [
        "Play does not match 6-5. Put the checkers back and replay, before the next roll."
    ]


def test_r06_both_numbers_can_be_played() -> None:
    one_die = board("24:2 13:4 8:3 7:1 6:5", "24:2 13:5 8:3 6:5")
    assert said(verdict(START, (6, 5), one_die)) == ["Both numbers can be played."]
    assert said(verdict(START, (6, 5), START)) == ["Both numbers can be played."]


@pytest.mark.parametrize("preset", ["text-000", "text-003", "text-004"])
def test_no_number_is_demanded_where_either_may_be_played(preset: str) -> None:
    """Of the texts only 001 and 002 ask for the larger number; the others leave the choice."""
    before = board("24:1", "21:1 8:2")
    assert {format_play(play) for play in legal_plays(before, LIGHT, (6, 1), PRESETS[preset])} == {"24/23", "24/18"}
    found = judge(before, LIGHT, (6, 1), before, PRESETS[preset])
    assert [why.code for why in found.reasons] == ["R05"]
    only_the_six = board("24:1", "21:1 8:2 2:2")
    found = judge(only_the_six, LIGHT, (6, 1), only_the_six, PRESETS[preset])
    assert said(found) == ["Only one number can be played: it must be the 6."]


@pytest.mark.parametrize("preset", ["text-000", "text-004"])
def test_whoever_passes_over_points_and_blots_is_not_blamed_for_that(preset: str) -> None:
    """Texts 000 and 004 let a checker pass over held points, and hit only where it ends."""
    rules = PRESETS[preset]
    over_held = judge(
        board("bar:1 24:1 6:3", "7:2 6:2 13:5"), LIGHT, (6, 5), board("bar:1 13:1 6:3", "7:2 6:2 13:5"), rules
    )
    assert said(over_held) == ["Checker on the bar must enter first."]
    over_blots = judge(
        board("24:1 6:3", "7:1 6:1 13:5 8:2"), LIGHT, (6, 5), board("13:1 6:3", "7:1 6:1 13:4 11:1 8:2"), rules
    )
    assert [why.code for why in over_blots.reasons] == ["R26"]
    ends_on_held = judge(board("24:1 6:3", "12:2 7:2 13:5"), LIGHT, (6, 5), board("13:1 6:3", "12:2 7:2 13:5"), rules)
    assert [why.code for why in ends_on_held.reasons] == ["R09"]
    assert ends_on_held.reasons[0].values["point"] == 13


def test_r06_equal_dice_are_played_four_times() -> None:
    three = board("24:2 13:2 8:3 10:3 6:5", "24:2 13:5 8:3 6:5")
    assert said(verdict(START, (3, 3), three)) == ["The 3 can be played 4 times."]


def test_r06_equal_dice_that_can_be_played_once() -> None:
    before = board("24:1", "11:2 8:1")
    found = verdict(before, (5, 5), before)
    assert [why.text(language) for language in LANGUAGES for why in found.reasons] == [
        "The 5 can be played.",
        "Číslo 5 lze hrát.",
        "Číslo 5 sa dá hrať.",
    ]


def test_r07_it_must_be_the_larger() -> None:
    either = board("24:1", "12:2 1:2")
    assert said(verdict(either, (6, 5), board("19:1", "12:2 1:2"))) == [
        "Only one number can be played: it must be the 6."
    ]
    assert said(verdict(either, (6, 5), either)) == ["Only one number can be played: it must be the 6."]


def test_r07_the_die_is_named_where_it_bears_off() -> None:
    last = board("5:1")
    assert said(verdict(last, (6, 5), last)) == ["Only one number can be played: it must be the 6."]
    # Points 1 and 4 are held: the 5 cannot be played from 6, only the 2 from 2.
    held = board("6:1 2:1", "24:2 21:2")
    assert said(verdict(held, (5, 2), held)) == ["Only one number can be played: it must be the 2."]


def test_r08_the_bar_comes_first() -> None:
    before = board("bar:1 13:2 6:5", "6:4 1:2")
    seen = board("bar:1 13:1 8:1 6:5", "6:4 1:2")
    assert "Checker on the bar must enter first." in said(verdict(before, (5, 3), seen))


def test_r09_the_point_is_held() -> None:
    on_six = board("24:1 19:1 13:4 8:3 7:1 6:5", "24:2 13:5 8:3 6:5")
    assert said(verdict(START, (6, 5), on_six)) == ["Point 19 is held by Black."]


def test_r09_though_the_held_checkers_are_covered() -> None:
    # The camera sees only light's checker on top of dark's point.
    on_six = board("24:1 19:1 13:4 8:3 7:1 6:5", "24:2 13:5 8:3")
    codes = [r.code for r in verdict(START, (6, 5), on_six).reasons]
    assert codes == ["R09", "R12"]


def test_r10_the_hit_checker_was_left_or_taken_away() -> None:
    before = board("13:2 6:5", "20:1 6:4")
    left_there = board("13:1 5:1 6:5", "20:1 6:4")
    taken_away = board("13:1 5:1 6:5", "6:4")
    for seen in (left_there, taken_away):
        assert said(verdict(before, (5, 3), seen)) == ["Hit checker belongs on the bar."]


def test_r11_not_all_are_home() -> None:
    before = board("7:1 6:2 5:1")
    assert said(verdict(before, (6, 5), board("7:1 6:1"))) == ["Not all checkers are home."]


def test_r12_a_count_is_off() -> None:
    one_missing = board("24:2 13:5 8:2 6:4 5:1", "24:2 13:5 8:3 6:5")
    assert "White: 14 checkers seen. Please check." in said(verdict(START, (3, 1), one_missing))
    one_more = board("24:2 13:5 8:3 6:4 5:2", "24:2 13:5 8:3 6:5")
    assert said(verdict(START, (3, 1), one_more)) == ["White: 16 checkers seen. Please check."]
    dark_missing = board("24:2 13:5 8:2 6:4 5:2", "24:2 13:4 8:3 6:5")
    assert said(verdict(START, (3, 1), dark_missing)) == [
        "Black: 14 checkers seen. Please check.",
        "Black: checkers differ on points 12. Only a hit moves them.",
    ]


def test_r25_a_checker_stands_further_back() -> None:
    before = board("6:1 4:2", "24:2")
    seen = board("6:1 4:1", "24:2")
    assert "Checker on point 6 stands further back." in said(verdict(before, (5, 5), seen))


def test_r25_is_said_of_no_checker_that_its_own_number_bears_off() -> None:
    before, onto_held = board("6:1 3:1", "21:2"), board("4:1", "21:2")
    assert said(verdict(before, (3, 2), onto_held)) == ["Point 4 is held by Black."]
    before, seen = board("6:2 3:1", "24:2"), board("6:1 5:1", "24:2")
    found = judge(before, LIGHT, (3, 1), seen, PRESETS["text-003"])
    assert said(found) == ["Checker on point 6 stands further back."]


def test_a_number_that_is_too_high_bears_nothing_off_where_only_the_exact_one_does() -> None:
    rules = ruleset_from({"bearoff": {"excess": "exact-only"}})
    found = judge(board("3:2"), LIGHT, (6, 5), board("3:1"), rules)
    assert said(found) == ["Play does not match 6-5. Put the checkers back and replay, before the next roll."]


def test_whoever_laid_a_hit_checker_on_the_bar_is_not_blamed_for_it() -> None:
    before, seen = board("bar:1 13:1 6:5", "20:1 6:4"), board("bar:1 5:1 6:5", "bar:1 6:4")
    assert said(verdict(before, (5, 3), seen)) == ["Checker on the bar must enter first."]


def test_a_hit_by_another_number_than_was_thrown_is_a_hit() -> None:
    before, mismatch = board("13:2 6:5", "20:1 6:4"), "Play does not match 2-1. Put the checkers back and replay, "
    on_the_bar, taken_away = (board("13:1 6:5 5:1", dark) for dark in ("bar:1 6:4", "6:4"))
    assert said(verdict(before, (2, 1), on_the_bar)) == [f"{mismatch}before the next roll."]
    assert said(verdict(before, (2, 1), taken_away)) == [
        f"{mismatch}before the next roll.",
        "Hit checker belongs on the bar.",
    ]


def test_a_count_takes_in_what_was_borne_off_before() -> None:
    before, seen = board("8:1 6:13", "1:1 6:12"), board("8:1 6:12", "1:1 6:11")
    assert said(verdict(before, (2, 1), seen))[:2] == [
        "White: 14 checkers seen. Please check.",
        "Black: 14 checkers seen. Please check.",
    ]


def test_more_borne_off_than_the_dice_let_is_no_miscount() -> None:
    found = verdict(board("6:3 1:2"), (6, 5), board("1:2"))
    assert said(found) == ["Play does not match 6-5. Put the checkers back and replay, before the next roll."]


@pytest.mark.parametrize("preset", ["text-000", "text-004"])
def test_whoever_enters_does_so_on_an_open_point_though_he_goes_on(preset: str) -> None:
    before, seen = board("bar:1 6:5", "5:2 1:2"), board("19:1 6:5", "5:2 1:2")
    (held,) = said(judge(before, LIGHT, (5, 1), seen, PRESETS[preset]))
    assert held in ("Point 20 is held by Black.", "Point 24 is held by Black.")


def test_r26_the_opponents_checkers_were_moved() -> None:
    seen = board("24:2 13:5 8:2 6:4 5:2", "24:2 13:4 8:4 6:5")
    assert said(verdict(START, (3, 1), seen)) == ["Black: checkers differ on points 12, 17. Only a hit moves them."]


def test_r27_the_egyptian_rule() -> None:
    rules = ruleset_from({"move": {"stack_limit": 5}})
    seen = board("24:2 13:4 8:3 6:6", "24:2 13:5 8:3 6:5")
    found = judge(START, LIGHT, (6, 1), seen, rules)
    assert said(found) == ["No more than 5 checkers may stand on point 6."]
    into_six = judge(board("8:1 6:5", "24:1"), LIGHT, (2, 1), board("7:0 6:6", "24:1"), rules)
    assert "No more than 5 checkers may stand on point 6." in said(into_six)
    few = [reason(Code.TOO_MANY_ON_POINT, limit=limit, point=6).text("cs") for limit in (1, 2)]
    assert [text.split("nejvýše ")[1] for text in few] == ["1 kámen.", "2 kameny."]


def test_nearest_legal_plays_come_first() -> None:
    seen = board("24:2 13:5 8:2 6:4 5:1 4:1", "24:2 13:5 8:3 6:5")
    found = verdict(START, (3, 1), seen)
    assert format_play(found.nearest[0]) == "8/5 6/5"
    assert len(found.nearest) == 3


def test_reasons_speak_three_languages_and_name_the_sides_by_their_colours() -> None:
    held = reason("R09", point=5, side=DARK)
    assert [held.text(language) for language in LANGUAGES] == [
        "Point 5 is held by Black.",
        "Klín 5 drží Černý.",
        "Klin 5 drží Čierny.",
    ]
    assert held.text("cs", {LIGHT: "Bílá", DARK: "Červená"}) == "Klín 5 drží Červená."
    counted = [reason("R12", side=LIGHT, count=n).text("cs") for n in (1, 4, 14)]
    assert counted == [
        "Bílý: vidím 1 kámen. Zkontrolujte.",
        "Bílý: vidím 4 kameny. Zkontrolujte.",
        "Bílý: vidím 14 kamenů. Zkontrolujte.",
    ]
    with pytest.raises(RulesError, match="speaks en, cs, sk"):
        held.text("de")
    with pytest.raises(RulesError, match="no reason"):
        reason("R99")


@pytest.mark.parametrize("code", reason_codes())
def test_every_reason_has_a_sentence_in_every_language(code: str) -> None:
    values: dict[str, int | str | Side] = {
        "side": DARK,
        "count": 14,
        "point": 5,
        "points": "5",
        "dice": "6-5",
        "die": 6,
    }
    values |= {"limit": 64, "level": 2, "sheet": "5-3", "board": "5-4"}
    sentences = [Reason(code, tuple(values.items())).text(language) for language in LANGUAGES]
    assert all(sentence[-1] in ".!" and "{" not in sentence for sentence in sentences)
    assert len(set(sentences)) == len(LANGUAGES)


@settings(max_examples=60, deadline=None)
@given(positions(), SIDES, ROLLS, st.integers(0, 23), st.integers(0, 23))
def test_any_position_that_no_play_reaches_is_illegal_with_reasons(
    before: Position, mover: Side, dice: tuple[int, int], source: int, target: int
) -> None:
    own = list(before.own(mover))
    own[source] = max(own[source] - 1, 0)
    own[target] += 1
    other = before.own(mover.other)
    seen = Position(tuple(own), other) if mover is LIGHT else Position(other, tuple(own))
    results = {play.result for play in legal_plays(before, mover, dice)}
    found = judge(before, mover, dice, seen)
    assert found.legal is (seen in results)
    assert bool(found.reasons) is not found.legal
