"""What each page is about: whether it exists, and the title, description and picture of a link to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from msgspec import Struct, structs

from parlour import games
from parlour.games.rulebook import rulebook
from parlour.games.sample import sample
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import FollowTournament, GetLesson, GetRules, Lesson, Rules
from parlour.protocol.pace import format_pace
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import GameCard, Player, Seat, Terms
from parlour.server.game_queries.game_info import game_card
from parlour.server.game_queries.lessons import lesson_of
from parlour.server.matchmaking.seeks import StoredSeek
from parlour.server.node import Node
from parlour.server.pages import content, tournament_pages
from parlour.server.pages.link_image import LinkPicture, is_drawable
from parlour.server.pages.words import result_in_words
from parlour.server.rooms.outline import Outline
from parlour.server.rooms.state import RoomState, starting_state
from parlour.server.rooms.view import scene as current_scene
from parlour.server.store.errors import StoreUnavailable

LOBBY_WITHIN = 0.5  # seconds; after that the page is served without the current lobby
LISTED_SEEKS = 10

MISSING = frozenset(
    {
        ErrorCode.GAME_UNKNOWN,
        ErrorCode.INVITE_UNKNOWN,
        ErrorCode.LESSON_UNKNOWN,
        ErrorCode.PLAYER_UNKNOWN,
        ErrorCode.RECORD_UNKNOWN,
        ErrorCode.ROOM_UNKNOWN,
        ErrorCode.TOURNAMENT_UNKNOWN,
    }
)
STATIC = {
    "account": ("Account", "Your name, password and bots."),
    "editor": ("Board editor", "Design a board of your own and play on it."),
    "game": ("Game record", "Replay a game that you have saved as text."),
    "games": ("Finished games", "Replay the games that were played here, move by move."),
    "players": ("Players", "The best players of each game."),
    "study": ("Study", "An analysis board: play both sides, and ask the computer."),
    "settings": ("Settings", "Theme, sound and how the board looks."),
    "watch": ("Live games", "Watch games while they are played."),
}


class PageInfo(Struct, frozen=True):
    """What a link to a page shows."""

    title: str
    description: str
    status: HTTPStatus = HTTPStatus.OK
    picture: Callable[[], LinkPicture] | None = None  # takes a moment
    version: str = ""  # changes whenever the picture does
    content: str = ""  # the main element, as markup; empty: title and description
    data: Mapping[str, Any] = {}  # for the script of the page, in addition to what every page gets
    is_indexed: bool = True


class Invitation(Struct, frozen=True, omit_defaults=True):
    """An invitation as its link shows it."""

    player: Player  # who invites
    name: str  # of the game
    summary: str  # of the game, in one sentence
    terms: Terms
    board: BoardSpec
    scene: Scene  # at the start of the game
    seat: Seat | None = None  # of the invited player; None: decided when the game starts


class PageDirectory:
    """Finds the page at a path. `data` is passed to the script of every page."""

    def __init__(self, node: Node, path_prefix: str = "") -> None:
        self._node = node
        self._prefix = path_prefix
        names = [games.find(key).info.name for key in games.keys()]
        listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
        text = f"Board games for two, live in your browser: {listed}. No account needed."
        picture = partial(_game_picture, next(iter(games.keys())), "Play a board game you do not know yet", text)
        self.data = {"games": _cards(), "samples": {key: sample(games.find(key)) for key in games.keys()}}
        self.lobby = PageInfo("Parlour", text, picture=picture, content=content.lobby(_cards()))
        self._made: dict[tuple[Any, str], PageInfo] = {}

    async def find(self, path: str) -> PageInfo:
        """Return the page at a path, with the status 404 if there is none. Raise StoreUnavailable."""
        try:
            return await self._page([segment for segment in path.split("/") if segment])
        except Refusal as refused:
            if refused.code in MISSING:
                return not_found(refused.sentence)
            raise

    async def _page(self, segments: list[str]) -> PageInfo:
        match segments:
            case []:
                return structs.replace(self.lobby, data=await self._lobby_data())
            case [page] if page in STATIC:
                return PageInfo(*STATIC[page], picture=self.lobby.picture)
            case ["rules"]:
                return await self._once(_rules, next(iter(games.keys())))
            case ["rules", game]:
                return await self._once(_rules, game)
            case ["learn", game]:
                return await self._once(_lesson, game)
            case ["study", "position", game, *_]:
                return _study(game)
            case ["study", "game", room, *_]:
                return await self._room(room, None, is_table=False, is_study=True)
            case ["editor", game, *_]:
                games.find(game)
                return PageInfo(*STATIC["editor"], picture=self.lobby.picture)
            case ["tournaments"]:
                return await self._tournaments()
            case ["tournaments", id] | ["tournaments", id, "top"]:
                return await self._tournament(id)
            case ["join", code]:
                return _invitation(await self._node.lobby.seeks.invitation(code))
            case ["players", name]:
                return await self._player(name)
            case ["table" | "game" as kind, room]:
                return await self._room(room, None, is_table=kind == "table")
            case ["game", room, ply] if ply.isdecimal():
                return await self._room(room, int(ply[:6]), is_table=False)
            case _:
                return not_found("There is no page at this address. Check the link.")

    async def _lobby_data(self) -> dict[str, Any]:
        """Return the first part of the lobby, so that its page does not change when the script connects."""
        try:
            async with asyncio.timeout(LOBBY_WITHIN):
                lobby = await self._node.lobby.subscribers.read()
        except (StoreUnavailable, TimeoutError):
            return {}
        featured = [game for game in lobby.live if game.room == lobby.featured] or lobby.live
        return {"lobby": structs.replace(lobby, seeks=lobby.seeks[:LISTED_SEEKS], live=tuple(featured[:1]))}

    async def _once(self, make: Callable[[str, str], PageInfo], game: str) -> PageInfo:
        """Return a page that never changes, built at the first request."""
        key = make, games.find(game).info.key
        if key not in self._made:
            self._made[key] = await asyncio.to_thread(make, game, self._prefix)
        return self._made[key]

    async def _tournaments(self) -> PageInfo:
        lists = await self._node.tournament_service.lists()
        text = "Arenas, Swiss tournaments, round robins and knockouts, for people and bots."
        return PageInfo(
            "Tournaments",
            text,
            picture=self.lobby.picture,
            content=tournament_pages.list_content(lists, self._prefix),
            data={"tournaments": lists},
        )

    async def _tournament(self, id: str) -> PageInfo:
        shown = await self._node.tournament_service.snapshot(id)
        summary = shown.summary
        return PageInfo(
            summary.settings.name,
            tournament_pages.description(summary),
            picture=partial(tournament_pages.picture, summary),
            version=tournament_pages.description(summary),
            content=tournament_pages.content(shown),
            data={"request": {"t": FollowTournament.__struct_config__.tag, "tournament": id}, "answer": shown},
            is_indexed=not summary.needs_code,
        )

    async def _player(self, name: str) -> PageInfo:
        player = await self._node.profiles.find(name)
        ratings = await self._node.profiles.ratings(player.id)
        rated = [
            f"{games.find(game).info.name} {round(rating.rating)}"
            for game, rating in ratings.items()
            if rating.games and game in games.keys()
        ]
        text = f"Ratings: {', '.join(rated)}." if rated else "Games, ratings and an invitation to play."
        game = next(iter(ratings), next(iter(games.keys())))
        shown = player.name if is_drawable(player.name) else "A player's profile"
        picture = partial(_game_picture, game, shown, text)
        return PageInfo(player.name, text, picture=picture, version=text, is_indexed=player.kind != "guest")

    async def _room(self, id: str, ply: int | None, *, is_table: bool, is_study: bool = False) -> PageInfo:
        room = await self._node.registry.find(id)
        if room is None:
            raise Refusal(ErrorCode.ROOM_UNKNOWN, "There is no such game. Check the link.")
        name = games.find(room.game).info.name if room.game in games.keys() else room.game
        names = [participant.player.name for participant in room.players]
        if room.result is not None:
            title = result_in_words(name, names, room.result)
            text = f"Replay the game of {name} move by move."
        else:
            title = f"{names[0]} against {names[1]}: {name}"
            text = f"Watch the game of {name} live." if is_table else f"A game of {name}."
        if isinstance(room, Outline):
            return PageInfo(title, text, is_indexed=False)
        facts = f"{format_pace(room.clock)} · {'rated' if room.rated else 'casual'}"
        drawn = title if is_drawable(title) else f"A game of {name}"
        picture = partial(_room_picture, room, ply, drawn, text, facts)
        is_indexed = not room.private and (room.is_over or is_table)
        markup = content.study(title, room.rules.board(room.options)) if is_study and room.is_over else ""
        return PageInfo(title, text, picture=picture, version=f"{room.seq}", content=markup, is_indexed=is_indexed)


@cache
def _cards() -> list[GameCard]:
    return [game_card(key) for key in games.keys()]


def not_found(text: str) -> PageInfo:
    """Return the page that takes the place of one that does not exist."""
    return PageInfo("Page not found", text, HTTPStatus.NOT_FOUND, is_indexed=False)


def invitation_of(seek: StoredSeek) -> Invitation:
    """Return what the invited player sees."""
    game = games.find(seek.terms.game)
    scene = game.scene(starting_state(game, seek.options, seek.position))
    seat = {"first": 1, "second": 0}.get(seek.seat)
    return Invitation(
        seek.host.player, game.info.name, game.info.summary, seek.terms, game.board(seek.options), scene, seat
    )


def picture_path(path: str) -> str:
    """Return the path of a page's picture."""
    return f"/pictures/{quote(path.strip('/') or 'lobby')}.png"


def _rules(key: str, path_prefix: str) -> PageInfo:
    info, book = games.find(key).info, rulebook(key)
    title = f"{info.name}: the rules"
    return PageInfo(
        title,
        info.summary,
        picture=partial(_game_picture, key, title, info.summary),
        content=content.rules(_cards(), key, book, path_prefix),
        data=_answer(GetRules(id=0, game=key), Rules(id=0, game=key, text=book.text, examples=book.examples)),
    )


def _study(key: str) -> PageInfo:
    info, (board, _) = games.find(key).info, sample(games.find(key))
    title = f"Study {info.name}"
    text = f"An analysis board for {info.name}: play both sides, and ask the computer."
    picture = partial(_game_picture, key, title, text)
    return PageInfo(title, text, picture=picture, content=content.study(title, board), is_indexed=False)


def _lesson(key: str, _: str) -> PageInfo:
    info, taught = games.find(key).info, lesson_of(key)
    title = f"Learn {info.name} in {taught.minutes} minutes"
    return PageInfo(
        title,
        info.summary,
        picture=partial(_game_picture, key, title, info.summary),
        content=content.lesson(taught),
        data=_answer(GetLesson(id=0, game=key), taught),
    )


def _invitation(seek: StoredSeek) -> PageInfo:
    info, host = games.find(seek.terms.game).info, seek.host.player.name
    invited = invitation_of(seek)
    facts = format_pace(seek.terms.clock)
    if invited.seat is not None:
        facts += f" · you play {info.seats[invited.seat].name}"
    facts += " · rated" if seek.terms.rated else ""
    title = f"{host} invites you to {info.name}"
    drawn = title if is_drawable(host) else f"A friend invites you to {info.name}"
    either = "either side, drawn when the game starts"
    terms = {
        "Clock": format_pace(seek.terms.clock),
        "You play": either if invited.seat is None else info.seats[invited.seat].name,
        "Game": "rated" if seek.terms.rated else "casual",
    }
    return PageInfo(
        title,
        f"{info.summary} Open the link to play: {facts}. No account needed.",
        picture=partial(_invitation_picture, seek, drawn, info.summary, facts),
        content=content.invitation(title, info.summary, terms, invited.board),
        data={"invitation": invited},
        is_indexed=False,
    )


def _answer(request: GetRules | GetLesson, answer: Rules | Lesson) -> dict[str, Any]:
    """Return a request that the script of a page would send, with its answer."""
    return {"request": {"t": request.__struct_config__.tag, "game": request.game}, "answer": answer}


# -- pictures


def _game_picture(key: str, title: str, text: str) -> LinkPicture:
    return LinkPicture(*sample(games.find(key)), title, text)


def _invitation_picture(seek: StoredSeek, title: str, text: str, facts: str) -> LinkPicture:
    invited = invitation_of(seek)
    is_empty = all(stack[0] >= invited.board.cells for stack in invited.scene.pieces)
    shown = sample(games.find(seek.terms.game)) if is_empty else (invited.board, invited.scene)
    return LinkPicture(*shown, title, text, facts)


def _room_picture(room: RoomState, ply: int | None, title: str, text: str, facts: str) -> LinkPicture:
    """Return the picture of a game, after a number of moves or as it stands now."""
    game = room.rules
    if room.delay and not room.is_over:  # spectators do not see the current position
        ply = 0
    if ply is None:
        return LinkPicture(game.board(room.options), current_scene(room), title, text, facts)
    state = starting_state(game, room.options, room.position)
    scene = game.scene(state)
    moves: Sequence[Any] = room.moves[:ply]
    for move in moves:
        after = game.apply(state, move)
        scene = game.scene_after(state, move, after)
        state = after
    return LinkPicture(game.board(room.options), scene, title, text, facts)
