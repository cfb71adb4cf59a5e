"""The Dutch system of FIDE. This is the only file that knows py4swiss, which implements it."""

from __future__ import annotations

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from parlour.tournaments.events import Pair
from parlour.tournaments.results import Outcome, all_outcomes
from parlour.tournaments.state import TournamentState


def pairings(state: TournamentState, rounds: int) -> tuple[tuple[Pair, ...], tuple[str, ...]] | None:
    """Return the pairs and the bye of the next of that many rounds; None if no pairing is left."""
    players = [entry.player for entry in state.seeding]
    number = {player: index for index, player in enumerate(players, 1)}
    played = all_outcomes(state)
    sections = [_section(played[player], player, number) for player in players]
    absent = {number[entry.player] for entry in state.entries if not entry.is_active}
    report = ParsedTrf(player_sections=sections, x_section=XSection(number_of_rounds=rounds, zeroed_ids=absent))
    try:
        found = DutchEngine.generate_pairings(report)
    except PairingError:
        return None
    pairs = tuple((players[pair.white - 1], players[pair.black - 1]) for pair in found if pair.black)
    return pairs, tuple(players[pair.white - 1] for pair in found if not pair.black)


def _section(outcomes: list[Outcome], player: str, number: dict[str, int]) -> PlayerSection:
    """Return the line of a player in a report to FIDE."""
    results, points = [], 0.0
    for outcome in outcomes:
        color = {True: ColorToken.WHITE, False: ColorToken.BLACK, None: ColorToken.BYE_OR_NOT_PAIRED}[outcome.is_first]
        opponent = 0 if outcome.opponent is None else number[outcome.opponent]
        results.append(RoundResult(id=opponent, color=color, result=ResultToken(outcome.code)))
        points += outcome.points
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=number[player],
        points_times_ten=round(points * 10),
        rank=number[player],
        results=results,
    )
