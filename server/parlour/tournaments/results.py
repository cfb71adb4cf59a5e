"""The results of each player in each round."""

from __future__ import annotations

from msgspec import Struct

from parlour.tournaments.state import Match, TournamentState


class Outcome(Struct, frozen=True):
    """One round of one player."""

    points: float  # 1 for a match that was won, one half for a drawn one
    code: str  # as in FIDE's report files: 1 = 0 for a match, + - for a forfeit, U for a bye, Z for an absence
    games: float = 0.0  # points of the games of the match
    opponent: str | None = None
    is_first: bool | None = None  # whether the player began the first game; None without an opponent

    @property
    def is_played(self) -> bool:
        return self.code in "1=0"


def outcomes(state: TournamentState, player: str) -> list[Outcome]:
    """Return the rounds of a player in order; a match that is still being played counts as it stands.

    The host of a simul has one outcome for each opponent, all of them in the only round.
    """
    found: list[Outcome] = []
    for played in state.rounds:
        matches = [match for match in played.matches if player in (match.first, match.second)]
        if matches:
            found += [_outcome(match, player) for match in matches]
        elif player in played.byes and state.settings.format != "round_robin":
            found.append(Outcome(1.0, "U"))
        else:
            found.append(Outcome(0.0, "Z"))
    return found


def all_outcomes(state: TournamentState) -> dict[str, list[Outcome]]:
    """Return what `outcomes` returns, for every player, in one pass over the matches."""
    found: dict[str, list[Outcome]] = {entry.player: [] for entry in state.entries}
    absent = Outcome(0.0, "Z")
    bye = absent if state.settings.format == "round_robin" else Outcome(1.0, "U")
    for played in state.rounds:
        paired: set[str] = set()
        for match in played.matches:
            for player in (match.first, match.second):
                found[player].append(_outcome(match, player))
                paired.add(player)
        for player in found.keys() - paired:
            found[player].append(bye if player in played.byes else absent)
    return found


def _outcome(match: Match, player: str) -> Outcome:
    opponent = match.opponent(player)
    leader, is_first = match.leader, player == match.first
    if not match.winners:
        return Outcome(0.0, "0", 0.0, opponent, is_first)
    if len(match.forfeits) == len(match.winners):
        return Outcome(
            float(leader == player), "+" if leader == player else "-", match.points(player), opponent, is_first
        )
    points, code = (0.5, "=") if leader is None else (1.0, "1") if leader == player else (0.0, "0")
    return Outcome(points, code, match.points(player), opponent, is_first)
