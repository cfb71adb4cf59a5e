"""Tournament messages, as clients receive them. Pure: the same tournament yields the same messages on every node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Literal

from parlour.protocol import messages as m
from parlour.protocol.types import Player, TournamentSettings
from parlour.server.tournaments.games import Game, current_games, following_tournament, game_of, game_room, player_of
from parlour.tournaments import knockout, round_robin, swiss
from parlour.tournaments.arena import ArenaPlayer
from parlour.tournaments.recurring import goes_on
from parlour.tournaments.results import Outcome, all_outcomes
from parlour.tournaments.settings import Settings
from parlour.tournaments.standings import TIE_BREAKS, Standing, standings, team_points
from parlour.tournaments.state import Entry, Match, TournamentState, is_over

PAGE = 50  # rows of the standings, or pairings, in one message

EntryState = Literal["active", "paused", "withdrawn", "eliminated"]
Phase = Literal["entered", "waiting", "playing", "paused", "withdrawn", "eliminated", "finished"]

_WORDS = {"1": "won", "+": "won", "=": "drawn", "0": "lost", "-": "lost", "U": "bye", "Z": "absent"}


class TournamentView:
    """A tournament after a number of events, as clients see it."""

    def __init__(self, id: str, state: TournamentState, seq: int) -> None:
        self.id = id
        self.state = state
        self.seq = seq
        self._is_arena = state.settings.format == "arena"
        self._pages: dict[int, tuple[m.StandingRow, ...]] = {}

    @cached_property
    def _outcomes(self) -> dict[str, list[Outcome]]:
        return all_outcomes(self.state)

    @cached_property
    def _rows(self) -> list[Standing]:
        return standings(self.state, None if self._is_arena else self._outcomes)

    @cached_property
    def _indices(self) -> dict[tuple[int, str, str], int]:
        """The index of a match in its round, by the number of the round and the two players, in both orders."""
        return {
            (number, *pair): index
            for number, played in enumerate(self.state.rounds, 1)
            for index, match in enumerate(played.matches)
            for pair in ((match.first, match.second), (match.second, match.first))
        }

    @cached_property
    def _ranks(self) -> dict[str, int]:
        return {row.player: row.rank for row in self._rows}

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        return {entry.player: entry for entry in self.state.entries}

    @cached_property
    def _accounts(self) -> dict[str, Entry]:
        """The players by id. Many followers ask for their own part after each change."""
        return {entry.account: entry for entry in self.state.entries if entry.account}

    @cached_property
    def _current(self) -> dict[str, Game]:
        """The running games, by player; of the host of a simul the first one."""
        found: dict[str, Game] = {}
        for game in current_games(self.id, self.state):
            for player in game.players:
                found.setdefault(player, game)
        return found

    def player(self, name: str) -> Player:
        """Return a player of the tournament as others see it."""
        return player_of(self._entries[name])

    def prepare(self) -> TournamentView:
        """Compute what all followers see. In a large tournament this takes long, so call it in a thread."""
        self.snapshot(None)
        return self

    # -- the whole

    def summary(self) -> m.TournamentSummary:
        """Return the summary of the tournament."""
        state = self.state
        has_winner = state.status == "finished" and bool(self._rows) and state.host is None
        return m.TournamentSummary(
            tournament=self.id,
            settings=wire_settings(state.settings),
            status=state.status,
            players=sum(not entry.is_withdrawn for entry in state.entries),
            start=state.started or state.settings.start,
            end=self._end(),
            organiser=state.organiser,
            needs_code=bool(state.code),
            winner=self.player(self._rows[0].player) if has_winner else None,
            next=following_tournament(self.id) if goes_on(state) else None,
        )

    def _end(self) -> int:
        state = self.state
        if state.is_finished:
            return state.changed
        return state.arena_end if self._is_arena and state.started else 0

    def snapshot(self, id: int | None) -> m.Tournament:
        """Return the whole tournament, as its page shows it."""
        return m.Tournament(
            id=id,
            n=self.seq,
            summary=self.summary(),
            round=self.round,
            rounds=self.rounds,
            next_round=self.next_round,
            standings=self.page(0),
            games=self.games,
            byes=self.byes,
            teams=self.teams,
            tie_breaks=TIE_BREAKS[self.state.settings.format],
            featured=self.featured,
        )

    @property
    def round(self) -> int:
        """The number of the current round; 0 in an arena."""
        return 0 if self._is_arena else len(self.state.rounds)

    @property
    def rounds(self) -> int:
        """How many rounds there will be, as far as that is known."""
        state, players = self.state, len(self.state.entries)
        if players < 2:
            return 0
        match state.settings.format:
            case "swiss":
                return swiss.rounds(state)
            case "round_robin":
                return round_robin.rounds(players, state.settings.cycles)
            case "knockout":
                return knockout.rounds(players)
            case "simul":
                return 1
            case _:
                return 0

    @property
    def next_round(self) -> int | None:
        """When the next round begins, between two rounds."""
        state = self.state
        if state.status != "running" or self._is_arena or any(state.unfinished) or self.round >= self.rounds:
            return None
        return state.last_result + state.settings.pause

    @property
    def byes(self) -> tuple[Player, ...]:
        """The players without an opponent in the current round."""
        return self.byes_of(self.round) if self.round else ()

    def byes_of(self, number: int) -> tuple[Player, ...]:
        """Return the players without an opponent in a round."""
        return tuple(map(self.player, self.state.rounds[number - 1].byes))

    @property
    def teams(self) -> tuple[m.TeamRow, ...]:
        """The teams, best first."""
        found = team_points(self.state, self._rows) if self.state.settings.teams else []
        return tuple(
            m.TeamRow(rank, team, hundredths(points), players) for rank, (team, points, players) in enumerate(found, 1)
        )

    # -- games

    @cached_property
    def games(self) -> tuple[m.TournamentGame, ...]:
        """The games of the current round, or the running games of an arena; those of the best players first."""
        if self._is_arena:
            found = [self._game(game.round, game.match) for game in current_games(self.id, self.state)]
        elif self.round:
            found = [self._game(self.round, index) for index in range(len(self.state.rounds[-1].matches))]
        else:
            found = []
        return tuple(sorted(found, key=lambda game: sorted(game.ranks))[:PAGE])

    @property
    def featured(self) -> str | None:
        """The room of the running game of the best players."""
        return next((game.room for game in self.games if not game.over), None)

    def games_of(self, number: int, offset: int) -> tuple[tuple[m.TournamentGame, ...], int]:
        """Return a page of the games of a round, and how many there are; of an arena, all games, newest first."""
        rounds = self.state.rounds
        numbers: Sequence[int] = range(len(rounds), 0, -1) if self._is_arena else (number,)
        total = sum(len(rounds[each - 1].matches) for each in numbers)
        every = ((each, index) for each in numbers for index in range(len(rounds[each - 1].matches)))
        page = islice(every, offset, offset + PAGE)
        return tuple(self._game(each, index) for each, index in page), total

    def _game(self, number: int, index: int) -> m.TournamentGame:
        state, match = self.state, self.state.match(number, index)
        over = is_over(state.settings, match)
        played = len(match.winners)
        last = max(0, played - 1) if over else played
        return m.TournamentGame(
            number=self._before(number) + index + 1,
            players=(self.player(match.first), self.player(match.second)),
            ranks=(self._ranks[match.first], self._ranks[match.second]),
            room=self._last_room(number, index, match),
            game=last + 1,
            points=(hundredths(match.points(match.first)), hundredths(match.points(match.second))),
            over=over,
            forfeit=over and len(match.forfeits) == played,
            round=0 if self._is_arena else number,
        )

    def _before(self, number: int) -> int:
        """Return how many pairings there were before a round."""
        return sum(len(played.matches) for played in self.state.rounds[: number - 1])

    def _last_room(self, number: int, index: int, match: Match) -> str | None:
        """Return the room of the game that is being played, or of the last one that was."""
        if not is_over(self.state.settings, match):
            return game_of(self.id, number, index, match).room
        played = [game for game in range(len(match.winners)) if game not in match.forfeits]
        return game_room(self.id, number, index, played[-1]) if played else None

    # -- standings

    def page(self, offset: int) -> tuple[m.StandingRow, ...]:
        """Return a page of the standings."""
        if offset % PAGE:
            return self._page(offset)
        if offset not in self._pages and offset < self.total:
            self._pages[offset] = self._page(offset)
        return self._pages.get(offset, ())

    def _page(self, offset: int) -> tuple[m.StandingRow, ...]:
        return tuple(self._row(row) for row in self._rows[offset : offset + PAGE])

    @property
    def total(self) -> int:
        return len(self.state.entries)

    def row_of(self, name: str) -> m.StandingRow:
        """Return a player's place in the standings."""
        return self._row(self._rows[self._ranks[name] - 1])

    def _row(self, row: Standing) -> m.StandingRow:
        entry = self._entries[row.player]
        current = self._current.get(row.player)
        player = self.state.arena.get(row.player)
        return m.StandingRow(
            rank=row.rank,
            player=player_of(entry),
            points=hundredths(row.points),
            results=tuple(self._results(row.player) if player is None else self._arena_results(player)),
            tie_breaks=self._tie_breaks(row),
            games=self._played(row.player) if player is None else player.games,
            performance=row.performance,
            streak=0 if player is None else player.streak,
            state=self._state(entry, current),
            room=None if current is None else current.room,
            team=entry.team,
        )

    def _tie_breaks(self, row: Standing) -> tuple[int, ...]:
        values = {
            "Buchholz": hundredths(row.buchholz),
            "Sonneborn-Berger": hundredths(row.sonneborn_berger),
            "Performance": hundredths(max(0, row.performance or 0)),
        }
        return tuple(values[name] for name in TIE_BREAKS[self.state.settings.format])

    def _state(self, entry: Entry, current: Game | None) -> EntryState:
        if entry.is_withdrawn:
            return "withdrawn"
        if entry.is_paused:
            return "paused"
        return "eliminated" if current is None and self._is_out(entry.player) else "active"

    def _is_out(self, name: str) -> bool:
        """Return whether a player has lost a match of a knockout and does not play for the third place."""
        if self.state.settings.format != "knockout" or not self.state.rounds:
            return False
        last = self.state.rounds[-1]
        for match in last.matches:
            if name in (match.first, match.second):
                return is_over(self.state.settings, match) and knockout.winner(self.state, match) != name
        return name not in last.byes

    def _played(self, name: str) -> int:
        return sum(outcome.is_played for outcome in self._outcomes[name])

    def _results(self, name: str) -> Iterator[m.RoundResult]:
        for number, outcome in enumerate(self._outcomes[name], 1):
            yield self._result(name, number if self.state.host is None else 1, outcome)

    def _result(self, name: str, number: int, outcome: Outcome) -> m.RoundResult:
        if outcome.opponent is None:
            return m.RoundResult("bye" if outcome.code == "U" else "absent", hundredths(outcome.points))
        matches = self.state.rounds[number - 1].matches
        index = self._indices[number, name, outcome.opponent]
        is_running = not is_over(self.state.settings, matches[index])
        return m.RoundResult(
            "playing" if is_running else _WORDS[outcome.code],  # type: ignore[arg-type]
            hundredths(outcome.points),
            self._ranks[outcome.opponent],
            0 if outcome.is_first else 1,
            forfeit=outcome.code in "+-",
            room=self._last_room(number, index, matches[index]),
        )

    def _arena_results(self, player: ArenaPlayer) -> Iterator[m.RoundResult]:
        for each in player.results:
            yield m.RoundResult(
                each.outcome,  # type: ignore[arg-type]
                hundredths(each.points),
                self._ranks[each.opponent],
                0 if each.is_first else 1,
                forfeit=each.forfeit,
                double=each.double,
                berserk=each.berserk,
                room=game_room(self.id, each.round, each.match, 0),
            )

    # -- one player

    def yours(self, account: str) -> m.YourTournament | None:
        """Return a player's own part; None for a player who does not take part."""
        entry = self._accounts.get(account)
        if entry is None:
            return None
        current, row = self._current.get(entry.player), self.row_of(entry.player)
        opponent = None
        if current is not None:
            opponent = self.player(current.players[1 if current.players[0] == entry.player else 0])
        return m.YourTournament(
            tournament=self.id,
            state=self._phase(row, current),
            row=row,
            opponent=opponent,
            room=None if current is None else current.room,
            seat=None if current is None else current.players.index(entry.player),
            since=self._since(entry.player),
        )

    def _phase(self, row: m.StandingRow, current: Game | None) -> Phase:
        if self.state.is_finished:
            return "finished"
        if current is not None:
            return "playing"
        if row.state != "active":
            return row.state
        return "entered" if self.state.status == "open" else "waiting"

    def _since(self, name: str) -> int:
        player = self.state.arena.get(name)
        if player is not None and player.playing is None:
            return player.free_since
        return self.state.paired


def wire_settings(settings: Settings) -> TournamentSettings:
    """Return the settings without the server's own."""
    return TournamentSettings(**{name: getattr(settings, name) for name in TournamentSettings.__struct_fields__})


def hundredths(points: float) -> int:
    """Return points as they are sent, in hundredths."""
    return round(points * 100)


def changes(old: TournamentView, new: TournamentView) -> m.TournamentChanged:
    """Return the parts that have changed."""

    def changed(before: object, after: object) -> bool:
        return before != after

    summary, before = new.summary(), old.summary()
    page, page_before = new.page(0), old.page(0)
    return m.TournamentChanged(
        tournament=new.id,
        n=new.seq,
        summary=summary if changed(before, summary) else None,
        round=new.round if changed(old.round, new.round) else None,
        rounds=new.rounds if changed(old.rounds, new.rounds) else None,
        next_round=new.next_round,
        standings=page if changed(page_before, page) else None,
        games=new.games if changed(old.games, new.games) else None,
        byes=new.byes if changed(old.byes, new.byes) else None,
        teams=new.teams if changed(old.teams, new.teams) else None,
        featured=new.featured,
    )
