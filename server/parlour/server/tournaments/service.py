"""The commands and queries of clients about tournaments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from parlour.bots import ladder, levels
from parlour.games import find
from parlour.protocol import messages as m
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.reply_cache import ReplyCache
from parlour.server import restrictions
from parlour.server.matchmaking.room_factory import RoomFactory, short_hash
from parlour.server.players.ratings import Ratings
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.commands import room_id
from parlour.server.sessions.command_ids import Handler, with_claimed_id
from parlour.server.sessions.session import Session
from parlour.server.store.store import Store
from parlour.server.tournaments.open_tournament import OpenTournament
from parlour.server.tournaments.runner import CHECK_WITHIN, TournamentRunner
from parlour.server.tournaments.tournament import create
from parlour.server.tournaments.view import TournamentView
from parlour.tournaments import commands
from parlour.tournaments.events import Cancelled, Created, Entered, Event, Paused, Returned, Withdrew
from parlour.tournaments.settings import Settings
from parlour.tournaments.state import TournamentState, begin, evolve

LISTED = 50  # tournaments in one message
LOGGED = 200  # events in one message
ID_LENGTH = 8  # letters
PER_ADDRESS = 5  # organisers at their limit, who can together fill the list

_decode_summary = msgspec.msgpack.Decoder(m.TournamentSummary).decode


class TournamentService:
    """The handlers of all messages about tournaments."""

    def __init__(
        self,
        store: Store,
        runner: TournamentRunner,
        room_factory: RoomFactory,
        network_of: Callable[[Session], str],
        *,
        most: int,
        per_player: int,
    ) -> None:
        """`most` is the maximum number of open and running tournaments, `per_player` that of one organiser.

        `network_of` returns the network whose limits hold for a session; empty if it has none.
        """
        self._store = store
        self._runner = runner
        self._room_factory = room_factory
        self._ratings = Ratings(store.ratings)
        self._network_of = network_of
        self._most = most
        self._per_player = per_player
        self._replies = ReplyCache()
        self._followed: dict[Session, set[OpenTournament]] = {}
        self.handlers: dict[type[Any], Handler] = {
            m.ListTournaments: self._list,
            m.FollowTournament: self._follow,
            m.GetStandings: self._get_standings,
            m.GetRound: self._get_round,
            m.GetTournamentLog: self._get_log,
            m.CreateTournament: with_claimed_id(store.command_ids, self._create),
            m.JoinTournament: with_claimed_id(store.command_ids, self._join),
            m.CancelTournament: self._once(self._cancel),
            m.WithdrawTournament: self._once(self._withdraw),
            m.PauseTournament: self._once(self._pause),
            m.SayTournament: self._once(self._say),
        }

    def _once(self, handler: Handler) -> Handler:
        """Return a handler that replies ok, and answers a repeated command without executing it again."""

        async def handle(session: Session, command: Any) -> None:
            sender = session.player, session.session_id
            reply = self._replies.get(sender, command)
            if reply is None:
                try:
                    await handler(session, command)
                except Refusal:
                    if not await self._was_executed(session, command):
                        raise
                reply = m.Ok(id=command.id)
                self._replies.put(sender, command, reply)
            session.send(reply)

        return handle

    async def _was_executed(self, session: Session, command: m.Command) -> bool:
        """Return whether the log has an event of a command: another node may have died before its reply."""
        if isinstance(command, m.SayTournament):
            return False  # chat is in no log
        digest = _digest(session, command)
        events = await self._runner.events(command.tournament)  # type: ignore[attr-defined]
        return any(getattr(event, "command", "") == digest for event in events)

    def session_closed(self, session: Session) -> None:
        """Stop following for a closed session."""
        for opened in self._followed.pop(session, ()):
            opened.followers.leave(session)

    def said(self, session: Session, player: str) -> tuple[str, ...]:
        """Return a player's recent chat in the tournaments that a session follows."""
        return tuple(line for opened in self._followed.get(session, ()) for line in opened.followers.lines_of(player))

    # -- looking

    async def _list(self, session: Session, command: m.ListTournaments) -> None:
        session.send(await self._listed(command))

    async def _listed(self, command: m.ListTournaments) -> m.Tournaments:
        if command.status == "finished":
            try:
                before = float(command.before or "inf")
            except ValueError:
                raise Refusal(ErrorCode.REQUEST_MALFORMED, "`before` must be the `more` of an earlier reply.") from None
            rows = tuple(map(_decode_summary, await self._store.tournaments.finished(before, LISTED)))
            more = str(rows[-1].end) if len(rows) == LISTED else ""
        else:
            current = map(_decode_summary, await self._store.tournaments.current())
            rows, more = tuple(row for row in current if row.status == command.status)[:LISTED], ""
        return m.Tournaments(id=command.id, rows=rows, more=more)

    async def lists(self) -> dict[str, m.Tournaments]:
        """Return the first page of each list, by status."""
        statuses: tuple[Literal["open", "running", "finished"], ...] = ("open", "running", "finished")
        return {each: await self._listed(m.ListTournaments(id=0, status=each)) for each in statuses}

    async def snapshot(self, id: str) -> m.Tournament:
        """Return a tournament as its page shows it. Raise Refusal if there is none."""
        return (await self._view(id)).snapshot(None)

    async def _follow(self, session: Session, command: m.FollowTournament) -> None:
        opened = await self._runner.open(command.tournament)
        if not command.on:
            opened.followers.leave(session)
            self._followed.get(session, set()).discard(opened)
            session.send(m.Ok(id=command.id))
        else:
            view = await opened.view()
            if not session.is_closed:
                self._followed.setdefault(session, set()).add(opened)
                opened.followers.follow(session, command.id, view)
                if view.seq != opened.tournament.seq:
                    opened.followers.changed()  # while the view was computed

    async def _view(self, id: str) -> TournamentView:
        return await (await self._runner.open(id)).view()

    async def _get_standings(self, session: Session, command: m.GetStandings) -> None:
        view = await self._view(command.tournament)
        page = view.page(command.offset)
        session.send(
            m.Standings(
                id=command.id, tournament=view.id, n=view.seq, offset=command.offset, rows=page, total=view.total
            )
        )

    async def _get_round(self, session: Session, command: m.GetRound) -> None:
        view = await self._view(command.tournament)
        state, number = view.state, command.round
        is_arena = state.settings.format == "arena"
        if not (number == 0 if is_arena else 1 <= number <= len(state.rounds)):
            rounds = "An arena has only round 0." if is_arena else f"There are rounds 1 to {len(state.rounds)}."
            raise Refusal(ErrorCode.REQUEST_MALFORMED, rounds)
        games, total = view.games_of(number, command.offset)
        byes = () if is_arena else view.byes_of(number)
        session.send(
            m.TournamentRound(
                id=command.id, tournament=view.id, round=number, offset=command.offset, games=games, total=total,
                byes=byes,
            )
        )  # fmt: skip

    async def _get_log(self, session: Session, command: m.GetTournamentLog) -> None:
        events = await self._runner.events(command.tournament)
        page = events[command.after : command.after + LOGGED]
        texts = tuple(msgspec.json.encode(without_secrets(event)).decode() for event in page)
        session.send(m.TournamentLog(id=command.id, tournament=command.tournament, events=texts, total=len(events)))

    # -- organising

    async def _create(self, session: Session, command: m.CreateTournament) -> None:
        if session.kind != "account":
            raise Refusal(ErrorCode.ACCOUNT_NEEDED, "Create an account to organise a tournament.")
        now = self._store.clock.now()
        id = room_id(int.from_bytes(short_hash(session.command_key(command)), "big"), ID_LENGTH)
        created, *entered = self._events(
            command, now, session, await self._rating(session, command.settings.terms.game)
        )
        current = [_decode_summary(each) for each in await self._store.tournaments.current()]
        network = self._network_of(session)
        if all(each.tournament != id for each in current):
            await self._check_limits(session.name, network, current)
        await create(id, self._store.room_log, [created, *entered], now + CHECK_WITHIN)
        opened = await self._runner.open(id)
        await self._store.tournaments.created_from(id, network)
        await self._runner.put_on_list(opened.tournament)
        session.send(m.Ok(id=command.id, tournament=id))
        self._runner.carry_on_soon(opened)

    async def _rating(self, session: Session, game: str) -> int:
        """Return a player's rating; 0 for none."""
        found, _ = (await self._ratings.get(session.player, game)).shown(self._store.clock.now())
        return found or 0

    def _events(self, command: m.CreateTournament, now: int, session: Session, rating: int) -> list[Event]:
        """Return the first events of a tournament. `rating`: the organiser's. Raise Refusal if it cannot be played."""
        terms = command.settings.terms
        self._room_factory.resolve_terms(terms)
        if terms.clock.kind == "none":
            raise Refusal(ErrorCode.CLOCK_INVALID, "A tournament needs a clock, so that every game ends.")
        if command.settings.berserk and not clocks.can_berserk(terms.clock):
            raise Refusal(ErrorCode.CLOCK_INVALID, "With this clock there is no main time to halve.")
        settings = msgspec.convert(msgspec.to_builtins(command.settings), Settings)
        code = commands.code_digest(command.code)
        events = commands.create(settings, now, session.name, session.player, code)
        state = begin(events[0])  # type: ignore[arg-type]
        if state.host is not None:
            events += commands.enter(state, state.host, session.name, rating, now, account=session.player)
            state = evolve(state, events[-1])
        for level in dict.fromkeys(levels.resolve(find(terms.game), each) for each in command.levels):
            entered = enter_level(state, level, now)
            events += entered
            state = evolve(state, entered[0])
        return events

    async def _check_limits(self, organiser: str, network: str, current: list[m.TournamentSummary]) -> None:
        if len(current) >= self._most:
            raise Refusal(ErrorCode.LIMIT_REACHED, f"There are {len(current)} tournaments already. Try again later.")
        if sum(each.organiser == organiser for each in current) >= self._per_player:
            raise Refusal(ErrorCode.LIMIT_REACHED, f"You have {self._per_player} tournaments that are not over yet.")
        if network and await self._store.tournaments.count_from(network) >= PER_ADDRESS * self._per_player:
            sentence = "There are too many tournaments from your address that are not over yet. Try again later."
            raise Refusal(ErrorCode.LIMIT_REACHED, sentence)

    async def _cancel(self, session: Session, command: m.CancelTournament) -> None:
        opened = await self._runner.open(command.tournament)
        if opened.tournament.state.organiser_account != session.player:
            raise Refusal(ErrorCode.NOT_ORGANISER, "Only the organiser can cancel the tournament.")
        digest = _digest(session, command)
        await self._runner.change(opened, lambda state, now: commands.cancel(state, now, digest))

    # -- taking part

    async def _join(self, session: Session, command: m.JoinTournament) -> None:
        opened = await self._runner.open(command.tournament)
        state = opened.tournament.state
        digest = _digest(session, command)
        entry = state.entry_of(session.player)
        if entry is None or entry.command != digest:
            rating = await self._check_may_enter(session, command, state)
            await self._runner.change(
                opened, lambda state, now: _entering(state, now, session, command, rating, digest)
            )
        session.send(m.Ok(id=command.id, tournament=command.tournament))

    async def _check_may_enter(self, session: Session, command: m.JoinTournament, state: TournamentState) -> int:
        """Return the player's rating. Raise Refusal if the tournament is not for this player."""
        settings = state.settings
        if state.code and commands.code_digest(command.code) != state.code:
            raise Refusal(ErrorCode.ENTRY_CODE_WRONG, "That is not the code of the tournament.")
        if settings.entrants == "bots" and session.kind != "bot":
            raise Refusal(ErrorCode.ENTRY_REFUSED, "Only bots take part in this tournament.")
        if settings.entrants == "people" and session.kind == "bot":
            raise Refusal(ErrorCode.ENTRY_REFUSED, "No bots take part in this tournament.")
        rating = await self._rating(session, settings.game)
        if settings.ratings is not None and not settings.ratings[0] <= rating <= settings.ratings[1]:
            lowest, highest = settings.ratings
            raise Refusal(ErrorCode.RATING_OUT_OF_RANGE, f"The tournament is for ratings from {lowest} to {highest}.")
        return rating

    async def _withdraw(self, session: Session, command: m.WithdrawTournament) -> None:
        opened = await self._runner.open(command.tournament)
        digest = _digest(session, command)
        await self._runner.change(
            opened, lambda state, now: commands.withdraw(state, _entered_name(state, session), now, digest)
        )

    async def _pause(self, session: Session, command: m.PauseTournament) -> None:
        opened = await self._runner.open(command.tournament)
        act, digest = commands.pause if command.on else commands.rejoin, _digest(session, command)
        await self._runner.change(opened, lambda state, now: act(state, _entered_name(state, session), now, digest))

    async def _say(self, session: Session, command: m.SayTournament) -> None:
        opened = await self._runner.open(command.tournament)
        if not command.text.isprintable() or not command.text.strip():
            raise Refusal(ErrorCode.TEXT_REFUSED, "Send text that fits on one line.")
        now = self._store.clock.now()
        if session.muted is not None and session.muted.holds_at(now):
            raise restrictions.muted(session.muted)
        said = m.TournamentSaid(tournament=command.tournament, name=session.name, text=command.text, at=now)
        self._runner.say(opened, session.player, said)


def _digest(session: Session, command: m.Command) -> str:
    """Return what the log has of a command, so that every node knows it when it is sent again."""
    return short_hash(session.command_key(command)).hex()


def _entering(
    state: TournamentState, now: int, session: Session, command: m.JoinTournament, rating: int, digest: str
) -> list[Event]:
    entry = state.entry_of(session.player)
    if entry is not None:
        return commands.rejoin(state, entry.player, now, digest)
    kind = "" if session.kind == "account" else session.kind
    return commands.enter(
        state, unused_name(state, session.name), session.name, rating, now,
        account=session.player, kind=kind, team=command.team or "", command=digest,
    )  # fmt: skip


def unused_name(state: TournamentState, name: str) -> str:
    """Return a name that no player of the tournament has: a player may have taken over the name of another one."""
    used = {entry.player for entry in state.entries}
    number = 2
    found = name
    while found in used:
        found, number = f"{name} ({number})", number + 1
    return found


def _entered_name(state: TournamentState, session: Session) -> str:
    entry = state.entry_of(session.player)
    if entry is None:
        raise Refusal(ErrorCode.NOT_ENTERED, "You do not take part in this tournament.")
    return entry.player


def enter_level(state: TournamentState, level: str, now: int) -> list[Event]:
    """Enter a level of the computer."""
    name = f"Computer {level}" if level in levels.LEVELS else f"Computer ({level})"
    rating = ladder.rating(state.settings.game, level) or 0
    team = next(iter(state.settings.teams), "")
    return commands.enter(state, name, name, rating, now, level=level, team=team)


def without_secrets(event: Event) -> Event:
    """Return an event as everyone may know it: ids of players and digests never leave the server."""
    match event:
        case Created():
            return msgspec.structs.replace(event, account="", code="")
        case Entered():
            return msgspec.structs.replace(event, account="", command="")
        case Withdrew() | Paused() | Returned() | Cancelled():
            return msgspec.structs.replace(event, command="")
        case _:
            return event
