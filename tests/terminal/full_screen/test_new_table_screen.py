"""The form for a new table is built from the server's description of the games."""

from __future__ import annotations

from pathlib import Path

from textual import events

from parlour.protocol.types import Terms
from parlour.terminal.full_screen.new_table_screen import NewTableScreen
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.full_screen.waiting_screen import WaitingScreen
from tests.terminal.full_screen.screens import Opened, opened, signed_in


async def form_of(shown: Opened, game: str, against: str = "") -> NewTableScreen:
    screen = NewTableScreen(Terms(game), against)
    await shown.app.push_screen(screen)
    return await shown.at(NewTableScreen)


async def test_every_game_shows_its_options(address: str, tmp_path: Path) -> None:
    """Each option of each game has a line."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        for card in session.client.games:
            screen = await form_of(shown, card.key)
            for spec in card.options:
                screen.form.go(f"option:{spec.key}")
                await shown.shows(spec.title)
            await shown.press("escape")


async def test_every_level_can_be_chosen(address: str, tmp_path: Path) -> None:
    """The form lists all levels of the computer, in every game."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        for card in session.client.games:
            screen = await form_of(shown, card.key, "computer")
            level = next(field for field in screen.form.fields if field.key == "level")
            assert [choice.value for choice in level.choices] == [level.key for level in card.levels]
            await shown.press("escape")


async def test_each_level_is_described(address: str, tmp_path: Path) -> None:
    """Below the form stands what the selected level does, whole, also in a narrow window."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path, size=(60, 24)) as shown:
        for card in session.client.games:
            screen = await form_of(shown, card.key, "computer")
            screen.form.go("level")
            for _ in card.levels:
                await shown.press("right")
                level = next(each for each in card.levels if each.key == screen.form.values["level"])
                await shown.until(lambda text=level.summary: text in " ".join(shown.text.split()))  # type: ignore[misc]
            await shown.press("escape")


async def test_a_game_against_the_computer(address: str, tmp_path: Path) -> None:
    """Options, level and side come from the form."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        screen = await form_of(shown, "replica", "computer")
        screen.form.go("option:size")
        await shown.press("right")
        screen.form.go("level")
        await shown.press("left", "left")
        screen.form.go("seat")
        await shown.press("right", "ctrl+s")
        table = (await shown.at(TableScreen)).view.table

        assert table.terms.options["size"] == 12
        assert table.seat == 1
        assert table.opponent is not None
        assert table.opponent.name == "Computer 1"


async def test_the_computer_plays_itself(address: str, tmp_path: Path) -> None:
    """The user watches two levels play each other."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await form_of(shown, "mapello", "computers")
        await shown.press("ctrl+s")
        screen = await shown.at(TableScreen)
        await shown.until(lambda: screen.view.table.ply > 2)
        assert not screen.view.is_player


async def test_a_friend_gets_a_code(address: str, tmp_path: Path) -> None:
    """The waiting screen shows the code."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await form_of(shown, "isaac", "friend")
        await shown.press("ctrl+s")
        screen = await shown.at(WaitingScreen)
        await shown.shows(f"Tell your friend this code: {screen.pending.seek}")


async def test_another_pace(address: str, tmp_path: Path) -> None:
    """Every kind of clock can be typed; a pace that cannot be read is explained."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        screen = await form_of(shown, "isaac", "computer")
        screen.form.go("other_pace")
        await shown.press(*"soon", "ctrl+s")
        await shown.shows("“soon” is not a pace.")
        await shown.press(*["backspace"] * 4, *"10+3x30", "ctrl+s")
        table = (await shown.at(TableScreen)).view.table
        assert (table.terms.clock.kind, table.terms.clock.count) == ("byoyomi", 3)


async def test_a_change_and_the_start_in_one_burst(address: str, tmp_path: Path) -> None:
    """The game starts with what the last change asked for, even if the form was not drawn in between."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        shown.app.show_new_table(against="anyone")
        await shown.at(NewTableScreen)
        for key in ("right", "down", "right", "right", "right", "ctrl+s"):  # Mapello, against the computer
            shown.app.post_message(events.Key(key, None))
        table = await shown.at(TableScreen)
        assert table.view.table.terms.game == "mapello"
        assert table.view.table.opponent is not None
        assert table.view.table.opponent.bot


async def test_only_games_without_opponents_have_no_clock(address: str, tmp_path: Path) -> None:
    """A look at the computer's fields does not change the pace of a game against another player."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        screen = await form_of(shown, "isaac", "anyone")
        screen.form.go("against")
        paces = {}
        for _ in range(7):
            paces[screen.form.values["against"]] = screen.form.values["pace"]
            await shown.press("right")
        assert paces.pop("anyone") != "none"
        assert {against for against, pace in paces.items() if pace == "none"} == {"here", "computer", "computers"}
