"""Turns: choices, legal moves and refusals."""

from __future__ import annotations

from parlour import games
from parlour.conform.probe import NotReached, expect, expect_refused, needs
from parlour.conform.server_checks import check
from parlour.conform.table import Table
from parlour.conform.testbed import ServerTestbed
from parlour.games.match import Match
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Choices, Explore, Join, Moved, Ok, Play, Refused, Room, Said, Say
from parlour.protocol.types import Pick, Step

MAX_ATTEMPTS = 5  # a move during the turn of an opponent that the kit does not control


@check("choices")
async def choices(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    offered = await table.turn()
    expect(bool(offered.step.picks), "there are no picks in the choices")
    _check_prompts(offered.step, len(offered.prompts))
    if table.other is not None:
        await table.other.settle()
        others = table.other.choices.get(table.room)
        expect(others is None or others.ply < offered.ply, "both players got choices")
    await table.play(table.me, offered)


def _check_prompts(step: Step, prompts: int) -> None:
    expect(step.prompt < prompts, f"a step has prompt {step.prompt} of {prompts}")
    for pick in step.picks:
        if isinstance(pick, Pick) and pick.then is not None:
            _check_prompts(pick.then, prompts)


@check("declined")
async def declined(testbed: ServerTestbed) -> None:
    table = await testbed.new_table()
    ply = (await needs(table.turn())).ply
    table.me = await testbed.again(table.me, table.replica.cursor, choices=False)
    await needs(table.me.settle())
    expect(not table.me.since(0, Choices), "choices came unasked after a resume")
    answer = await table.me.ask(Explore(id=0, room=table.room, ply=ply, picks=()))
    expect(isinstance(answer, Choices), f"explore was answered by {answer}")
    await needs(table.play(table.me, answer))
    if table.other is not None and table.replica.scene.to_move == 1 - table.seat:
        mark = table.me.mark()
        await needs(table.others_turn())
        await needs(table.me.settle())
        expect(not table.me.since(mark, Choices), "choices came unasked with the turn")


@check("explore")
async def explore(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    offered = await needs(table.turn())
    deeper = [pick for pick in offered.step.picks if isinstance(pick, Pick) and (pick.then or pick.more)]
    picks, expected = ((deeper[0].place,), deeper[0].then) if deeper else ((), offered.step)
    answer = await table.me.ask(Explore(id=0, room=table.room, ply=offered.ply, picks=picks))
    expect(isinstance(answer, Choices), f"explore was answered by {answer}")
    expect(answer.picks == picks, f"the choices after {list(picks)} say they follow {list(answer.picks)}")
    expect(answer.ply == offered.ply, f"the choices for ply {offered.ply} are for ply {answer.ply}")
    if expected is not None:
        listed, found = _places(expected), _places(answer.step)
        expect(found == listed, f"the choices listed {listed} after {list(picks)}, explore listed {found}")


def _places(step: Step) -> list[int]:
    return [pick.place if isinstance(pick, Pick) else pick for pick in step.picks]


@check("play")
async def play(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    turn = await _any_turn(table)
    mark = table.me.mark()
    others_mark = table.other.mark() if table.other else 0
    ok = await table.me.ask(turn)
    expect(isinstance(ok, Ok), f"a turn from the choices was answered by {ok}")
    expect(ok.seq is not None, "the ok has no seq")
    for probe, since in ((table.me, mark), (table.other, others_mark)):
        if probe is not None:
            moved = await probe.wait(Moved, since, "moved", lambda moved: moved.room == table.room)
            expect(moved.seq == ok.seq, f"the ok has seq {ok.seq}, moved has {moved.seq}")


async def _any_turn(table: Table) -> Play:
    """Return a legal turn of the kit, without an id yet."""
    offered = await needs(table.turn())
    picks = await needs(table.walk(table.me, offered))
    return Play(id=0, room=table.room, ply=offered.ply, picks=picks)


@check("play-text")
async def play_text(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    await needs(table.turn())
    try:
        game = games.find(table.replica.room.board.game)
        match = Match(game, game.options(table.replica.room.terms.options))
        for text in table.replica.moves:
            match.play(game.read(match.state, text))
    except Refusal as refusal:
        raise NotReached(f"this kit cannot write moves here: {refusal.sentence}") from None
    text = game.write(match.state, testbed.rng.choice(game.moves(match.state)))
    mark = table.me.mark()
    ok = await table.me.ask(Play(id=0, room=table.room, ply=len(match.moves), move=text))
    expect(isinstance(ok, Ok), f"{text} was answered by {ok}")
    moved = await table.me.wait(Moved, mark, "moved")
    expect(moved.move == text, f"{text} was played, and moved says {moved.move}")


@check("repeat")
async def repeat(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    turn = await _any_turn(table)
    mark = table.me.mark()
    turn = Play(id=next(table.me.ids), room=turn.room, ply=turn.ply, picks=turn.picks)
    first, second = await table.me.repeat(turn), await table.me.repeat(turn)
    expect(first == second, f"a turn was answered by {first}, and sent again by {second}")
    words = Say(id=next(table.me.ids), room=table.room, text="Good luck!")
    first, second = await table.me.repeat(words), await table.me.repeat(words)
    expect(first == second, f"say was answered by {first}, and sent again by {second}")
    await table.me.settle()
    said = len(table.me.since(mark, Said, table.room))
    expect(said == 1, f"what was said once came {said} times")
    if table.other is not None:
        moved = len(table.me.since(mark, Moved, table.room))
        expect(moved == 1, f"a turn that was sent twice made {moved} moves")


@check("id-reused")
async def id_reused(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    turn = await _any_turn(table)
    turn = Play(id=next(table.me.ids), room=turn.room, ply=turn.ply, picks=turn.picks)
    await needs(table.me.repeat(turn))
    other_turn = Play(id=turn.id, room=turn.room, ply=turn.ply + 1, picks=turn.picks)
    expect_refused(await table.me.repeat(other_turn), ErrorCode.ID_REUSED, "another turn with the same id")
    words = Say(id=next(table.me.ids), room=table.room, text="Hello!")
    await needs(table.me.repeat(words))
    other_words = Say(id=words.id, room=table.room, text="Good luck!")
    expect_refused(await table.me.repeat(other_words), ErrorCode.ID_REUSED, "another say with the same id")


@check("sessions-apart")
async def sessions_apart(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    twin = await testbed.twin(table.me)
    room = await needs(twin.ask(Join(id=0, room=table.room)))
    expect(isinstance(room, Room), f"join on a second connection was answered by {room}")
    mark, id = table.me.mark(), next(table.me.ids)
    for probe, text in ((table.me, "One."), (twin, "Two.")):
        answer = await probe.repeat(Say(id=id, room=table.room, text=text))
        expect(isinstance(answer, Ok), f"say was answered by {answer}")
    await table.me.settle()
    said = [line.text for line in table.me.since(mark, Said, table.room)]
    expect(len(said) == 2, f"two connections said one line each, and {said} came")
    id = next(table.me.ids)
    for probe in (table.me, twin):
        turn = await _any_turn(table)
        answer = await probe.repeat(Play(id=id, room=table.room, ply=turn.ply, picks=turn.picks))
        expect(isinstance(answer, Ok), f"a turn was answered by {answer}")
        await table.beyond(turn.ply)
    await twin.close()


@check("ok-epoch")
async def ok_epoch(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    ok = await table.me.ask(await _any_turn(table))
    expect(isinstance(ok, Ok), f"a turn from the choices was answered by {ok}")
    epoch = table.replica.epoch
    expect(ok.epoch == epoch, f"the ok has epoch {ok.epoch}, and the room {epoch}")


@check("stale-ply")
async def stale_ply(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    turn = await _any_turn(table)
    for ply in (turn.ply + 1, turn.ply + 2, *([turn.ply - 1] if turn.ply else [])):
        answer = await table.me.ask(Play(id=0, room=table.room, ply=ply, picks=turn.picks))
        expect_refused(answer, ErrorCode.STALE_PLY, f"a turn for ply {ply} at ply {turn.ply}")


@check("not-your-turn")
async def not_your_turn(testbed: ServerTestbed) -> None:
    for _ in range(MAX_ATTEMPTS):
        table = await testbed.table()
        turn = await _any_turn(table)
        if table.other is not None:
            answer = await table.other.ask(turn)
            expect_refused(answer, ErrorCode.NOT_YOUR_TURN, "a turn out of turn")
            return
        # The server's own opponent has the other seat: move, and move again before it can.
        mark = table.me.mark()
        first, second = next(table.me.ids), next(table.me.ids)
        await table.me.send(Play(id=first, room=table.room, ply=turn.ply, picks=turn.picks))
        await table.me.send(Play(id=second, room=table.room, ply=turn.ply + 1, picks=turn.picks))
        if not isinstance(await table.me.answer(first, mark, "play"), Ok):
            raise NotReached("a turn from the choices was refused")
        answer = await table.me.answer(second, mark, "play")
        if isinstance(answer, Refused) and answer.code in (ErrorCode.STALE_PLY, ErrorCode.GAME_OVER):
            continue  # it has moved already, or our first turn was the last of the game
        expect_refused(answer, ErrorCode.NOT_YOUR_TURN, "a turn out of turn")
        return
    raise NotReached("the opponent moved too fast to be interrupted")


@check("move-illegal")
async def move_illegal(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    offered = await needs(table.turn())
    legal = _places(offered.step)
    closed = [place for place in range(table.replica.room.board.places) if place not in legal]
    for picks in ((9999,), (*closed[:1], 0), ()):
        answer = await table.me.ask(Play(id=0, room=table.room, ply=offered.ply, picks=picks))
        expect_refused(answer, ErrorCode.MOVE_ILLEGAL, f"play of {list(picks)} with {legal} to choose from")


@check("move-malformed")
async def move_malformed(testbed: ServerTestbed) -> None:
    table = await testbed.table()
    offered = await needs(table.turn())
    for text in ("no move at all!", "", "\N{ARABIC-INDIC DIGIT FOUR}"):
        answer = await table.me.ask(Play(id=0, room=table.room, ply=offered.ply, move=text))
        expect_refused(answer, ErrorCode.MOVE_MALFORMED, f"the move “{text}”")
