"""A tournament whose players are levels of the computer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from parlour.cli.progress import Progress
from parlour.cli.selfplay import Pairing, play_all
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.tournaments import commands
from parlour.tournaments.events import Event
from parlour.tournaments.settings import MAX_GAMES, ComputerPlay, Settings
from parlour.tournaments.state import Match, TournamentState, evolve, fold, is_over

PROLONGATION = 2  # games that follow a drawn match of a knockout
MAX_MATCHES = 256  # of a round, at most
NUMBERS = MAX_GAMES + PROLONGATION  # numbers of games reserved for each match


class ComputerCup:
    """Plays a tournament to its end; `known` are the events of one that was interrupted."""

    def __init__(
        self,
        settings: Settings,
        known: list[Event],
        record: Callable[[Event], None],
        now: Callable[[], int],
        processes: int,
    ) -> None:
        """Begin, or continue. Raise Refusal if no tournament can be played, or if another one is known."""
        self._record = record
        self._now = now
        self._processes = processes
        self._computer = settings.computer or ComputerPlay()
        if known:
            self.state = fold(known)
            if self.state.settings != settings:
                raise Refusal(ErrorCode.TOURNAMENT_INVALID, "The log is that of a tournament with other settings.")
        else:
            (created,) = commands.create(settings, now())
            record(created)
            self.state = TournamentState(settings)

    def enter(self, level: str, name: str, rating: int) -> None:
        """Enter a level, unless it takes part already."""
        if all(entry.player != level for entry in self.state.entries):
            self._apply(commands.enter(self.state, level, name, rating, self._now()))

    def play(self) -> Iterator[int]:
        """Play all rounds that are left, and yield the number of each as it ends."""
        while not self.state.is_finished:
            if not any(self.state.unfinished):
                self._apply(commands.start_round(self.state, self._now()))
                if self.state.is_finished:
                    return
            while matches := list(self.state.unfinished):
                self._play_games(matches)
            yield len(self.state.rounds)

    def _play_games(self, matches: list[tuple[int, Match]]) -> None:
        """Play the remaining games of some matches. The games of a match are recorded in their order."""
        todo = [self._pairing(index, match, game) for index, match in matches for game in self._missing(match)]
        waiting: dict[int, dict[int, str | None]] = {index: {} for index, _ in matches}
        with Progress(len(todo)) as progress:
            for pairing, played in play_all(todo, self._processes):
                index, first = pairing.number // NUMBERS % MAX_MATCHES, pairing.number % 2
                winner = None if played.winner is None else (pairing.one, pairing.two)[played.winner != first]
                waiting[index][pairing.number % NUMBERS] = winner
                self._report(index, waiting[index])
                progress.step(f"round {len(self.state.rounds)}")

    def _missing(self, match: Match) -> range:
        played, planned = len(match.winners), self.state.settings.games
        return range(played, planned if played < planned else planned + PROLONGATION)

    def _pairing(self, index: int, match: Match, game: int) -> Pairing:
        """Return a game for `selfplay`, whose number gives every match openings of its own."""
        number = (len(self.state.rounds) * MAX_MATCHES + index) * NUMBERS + game
        settings, computer = self.state.settings, self._computer
        scales = computer.scale, computer.scale
        return Pairing(settings.game, settings.options, match.first, match.second, number, computer.seed, scales)

    def _report(self, index: int, results: dict[int, str | None]) -> None:
        match = self.state.rounds[-1].matches[index]
        while len(match.winners) in results and not is_over(self.state.settings, match):
            game = len(match.winners)
            self._apply(commands.report(self.state, len(self.state.rounds), index, game, results[game], self._now()))
            match = self.state.rounds[-1].matches[index]

    def _apply(self, events: list[Event]) -> None:
        for event in events:
            self._record(event)
            self.state = evolve(self.state, event)
