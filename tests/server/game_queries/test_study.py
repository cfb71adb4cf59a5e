"""Positions to study, as clients get them, without anything being kept."""

from __future__ import annotations

from typing import cast

import pytest

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Message, Moved, Studied, Study
from parlour.protocol.types import Terms
from parlour.server.compute import ComputeThread
from parlour.server.game_queries.study import AnalysisBoard
from parlour.server.sessions.session import Session

BOARD = AnalysisBoard(ComputeThread())
GAME = pytest.mark.parametrize("key", games.keys())

# White takes the king of Black with its next move.
LAST_MOVE = ".....w.W/......w./.......w/...Bwww./.b....../.bb...../b.bb..../B..b.... w"


class ScriptedSession:
    """A session that keeps what is sent to it."""

    address = "127.0.0.1"

    def __init__(self) -> None:
        self.sent: list[Message | Moved] = []
        self.connection = self

    def send(self, message: Message | Moved) -> None:
        self.sent.append(message)


async def ask(
    key: str, moves: tuple[str, ...] = (), picks: tuple[int, ...] = (), position: str | None = None
) -> Studied:
    session = ScriptedSession()
    command = Study(id=4, terms=Terms(key), position=position, moves=moves, picks=picks)
    await BOARD.study(cast("Session", session), command)
    (answer,) = session.sent
    assert isinstance(answer, Studied)
    assert answer.id == 4
    return answer


@GAME
async def test_both_sides_move_by_picks(key: str) -> None:
    """Picks that complete a turn lead to the position after it, with its moves, and from there to the next."""
    here = await ask(key)
    assert (here.moves, here.text) == ((), "")
    for ply in range(1, 4):
        picks: tuple[int, ...] = ()
        asked = here
        while len(asked.moves) < ply:
            assert asked.step is not None
            assert asked.picks == picks
            first = asked.step.picks[0]
            picks += (first if isinstance(first, int) else first.place,)
            asked = await ask(key, here.moves, picks)
        assert asked.moves[:-1] == here.moves
        here = asked
        assert here.picks == ()
        assert here.text
    again = await ask(key, here.moves)
    assert again == here


@GAME
async def test_a_position_continues_from_its_text(key: str) -> None:
    """The position in the answer is accepted as a beginning."""
    game = games.find(key)
    state = game.initial(game.options({}))
    first = game.write(state, game.moves(state)[0])
    here = await ask(key, (first,))
    there = await ask(key, position=here.position)
    assert there.position == here.position
    assert there.moves == ()
    assert there.step is not None


async def test_the_end_of_the_game_has_a_result_and_no_picks() -> None:
    """What would follow is refused."""
    end = await ask("replica", ("g5-d5",), position=LAST_MOVE)
    assert end.result is not None
    assert (end.result.winner, end.result.reason) == (0, "king_taken")
    assert (end.step, end.prompts) == (None, ())
    with pytest.raises(Refusal) as refused:
        await ask("replica", ("g5-d5", "b4-b5"), position=LAST_MOVE)
    assert refused.value.code is ErrorCode.GAME_OVER


async def test_what_cannot_be_played_is_refused() -> None:
    """A move, a pick and a position that the game does not have."""
    for moves, picks, position, code in (
        (("a1-h8",), (), None, ErrorCode.MOVE_ILLEGAL),
        ((), (0, 0), None, ErrorCode.MOVE_ILLEGAL),
        ((), (), "nonsense", ErrorCode.POSITION_MALFORMED),
    ):
        with pytest.raises(Refusal) as refused:
            await ask("replica", moves, picks, position)
        assert refused.value.code is code


async def test_a_long_line() -> None:
    """A line may be as long as a game, whether its beginning is known or not."""
    game = games.find("isaac")
    state, moves = game.initial(game.options({})), list[str]()
    while game.to_move(state) is not None:
        move = game.moves(state)[0]
        moves.append(game.write(state, move))
        state = game.apply(state, move)
    end = await ask("isaac", tuple(moves))
    assert end.position == game.print(state)
    assert await ask("isaac", tuple(moves)) == end
