"""Examples of the messages about tournaments."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from parlour.protocol import messages as m
from parlour.protocol.types import TournamentSettings
from publish.sample_people import ADA, BERTA, CUP, GUEST, NEXT, NOW, ROBOT, ROOM, TERMS

ARENA = TournamentSettings(
    name="Lunch arena", format="arena", terms=TERMS, start=NOW, every=86_400_000, duration=2_700_000, max_players=500,
    berserk=True, ratings=(800, 2400), teams=("Owls", "Foxes"),
)  # fmt: skip
SWISS = TournamentSettings(
    name="Autumn Swiss", format="swiss", terms=TERMS, rounds=5, games=2, pause=60_000, min_players=4, max_players=16,
    late_entry=False, entrants="people",
)  # fmt: skip

SIMUL = TournamentSettings(name="Simul with Ada", format="simul", terms=TERMS, max_players=20, host_side="alternating")


def from_clients() -> Iterator[Struct]:
    """Yield what clients send."""
    yield m.ListTournaments(id=143, status="finished", before="1760000000000")
    yield m.FollowTournament(id=144, tournament=CUP)
    yield m.FollowTournament(id=144, tournament=CUP, on=False)
    yield m.GetStandings(id=145, tournament=CUP, offset=50)
    yield m.GetRound(id=146, tournament=CUP, round=2, offset=50)
    yield m.GetTournamentLog(id=147, tournament=CUP, after=200)
    yield m.CreateTournament(id=148, settings=ARENA)
    yield m.CreateTournament(id=149, settings=SWISS, code="autumn", levels=("4", "8"))
    yield m.CreateTournament(id=149, settings=SIMUL)
    yield m.CancelTournament(id=150, tournament=CUP)
    yield m.JoinTournament(id=151, tournament=CUP)
    yield m.JoinTournament(id=151, tournament=CUP, code="autumn", team="Owls")
    yield m.WithdrawTournament(id=152, tournament=CUP)
    yield m.PauseTournament(id=153, tournament=CUP)
    yield m.PauseTournament(id=154, tournament=CUP, on=False)
    yield m.SayTournament(id=155, tournament=CUP, text="Good luck!")


def from_server() -> Iterator[Struct]:
    """Yield what the server sends."""
    weekly = replace(SWISS, start=NOW, every=604_800_000)
    done = m.TournamentSummary(CUP, weekly, "finished", 16, NOW, NOW + 3_600_000, "Ada", True, ADA, NEXT)
    yield m.Tournaments(id=143, rows=(done, m.TournamentSummary(NEXT, ARENA, "open", 3)), more="1760000000000")
    yield from _swiss()
    yield from _arena()
    played = m.TournamentGame(12, (ADA, BERTA), (1, 3), ROOM, points=(50, 50), over=True, round=2)
    yield m.TournamentRound(id=146, tournament=CUP, round=2, offset=50, games=(played,), total=51, byes=(GUEST,))
    events = ('{"type":"entered","at":1760000000000,"player":"Qb7"}',)
    yield m.TournamentLog(id=147, tournament=CUP, events=events, total=201)
    yield m.TournamentSaid(tournament=CUP, name="Ada", text="Good luck!", at=NOW)


def _swiss() -> Iterator[Struct]:
    running = m.TournamentSummary(CUP, SWISS, "running", 3, NOW, organiser="Ada", needs_code=True)
    results = (m.RoundResult("won", 200, 3, 0, room=NEXT), m.RoundResult("playing", 0, 2, 0, room=ROOM))
    first = m.StandingRow(1, ADA, 200, results, (100, 100), 2, 1820, room=ROOM)
    second = m.StandingRow(2, ROBOT, 100, state="paused")
    game = m.TournamentGame(41, (ADA, BERTA), (1, 3), ROOM, 2, (100, 0), round=2)
    whole = m.Tournament(
        id=144, n=318, summary=running, round=2, rounds=5, standings=(first, second), games=(game,), byes=(GUEST,),
        tie_breaks=("Buchholz", "Sonneborn-Berger"), featured=ROOM,
    )  # fmt: skip
    yield whole
    yield replace(whole, id=None, n=330, next_round=NOW, games=(), featured=None)
    yield m.TournamentChanged(
        tournament=CUP, n=321, summary=running, round=2, rounds=5, standings=(first, second), games=(game,),
        byes=(GUEST,), featured=ROOM,
    )  # fmt: skip
    decided = m.TournamentGame(42, (GUEST, ROBOT), (4, 2), over=True, forfeit=True)
    yield m.TournamentChanged(tournament=CUP, n=322, next_round=NOW, games=(decided,))
    yield m.YourTournament(tournament=CUP, state="playing", row=first, opponent=BERTA, room=ROOM, seat=0, since=NOW)
    yield m.Standings(id=145, tournament=CUP, n=318, offset=50, rows=(second,), total=51)


def _arena() -> Iterator[Struct]:
    running = m.TournamentSummary(CUP, ARENA, "running", 22, NOW, NOW + 2_700_000)
    won = m.RoundResult("won", 400, 2, 0, double=True, berserk=True, room=NEXT)
    first = m.StandingRow(1, ADA, 1400, (m.RoundResult("lost"), won), (), 6, 1820, 3, room=ROOM, team="Owls")
    game = m.TournamentGame(41, (ADA, BERTA), (1, 3), ROOM)
    teams = (m.TeamRow(1, "Owls", 2600, 2),)
    yield m.Tournament(id=144, n=318, summary=running, standings=(first,), games=(game,), teams=teams, featured=ROOM)
    yield m.TournamentChanged(tournament=CUP, n=323, standings=(first,), teams=teams)
