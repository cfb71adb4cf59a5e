"""At least one realistic example of every message. The reference shows the first of each.

Boards, scenes and choices come from a real game. Everything else is invented.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from parlour import games
from parlour.games.choices import choices
from parlour.protocol import messages as m
from parlour.protocol.codec import MAX_MESSAGE_SIZE
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.scene import Scene, diff, scene_hash
from parlour.protocol.types import (
    GameCard,
    Level,
    Pick,
    Player,
    Result,
    SeatedPlayer,
    TimeLeft,
)
from publish import position_samples, tournament_samples
from publish.sample_games import EPOCH, SampleGame, sample_game
from publish.sample_people import ADA, BERTA, BLITZ, CUP, GUEST, NEXT, NOW, PLAIN, ROBOT, ROOM, TERMS

TOKEN = "Zf3kV0qJxw8yTn5uLr1sPd"  # noqa: S105 - opens nothing
SESSION = "q7Ld-0aB"
ADDRESSES = ("wss://two.example.org/ws", "wss://three.example.org/ws")
RECORD = '[Game "mitsudomoe"]\n[First "Ada"]\n[Second "Berta"]\n'  # and so on

SUBSCRIPTION = m.PushSubscription(
    "https://push.example.net/send/cGFybG91cg",
    p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth="BTBZMqHH6r4Tts7J_aSIgg",
)
PUSH_KEY = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"


def game_card(key: str) -> GameCard:
    """Return a game as welcome lists it."""
    info = games.find(key).info
    levels = (Level("1", "Beginner", 710), Level("4", "Club player"), Level("8", "Expert", 2105))
    return GameCard(info.key, info.name, info.summary, info.seats, info.options, levels, dict(info.reasons))


@lru_cache(maxsize=1)
def samples() -> tuple[Struct, ...]:
    """Return every example, in the order of the reference."""
    match = sample_game("mitsudomoe", 48, ROOM)
    return (
        *_from_clients(match),
        *_answers(),
        *_lobby(match),
        *_rooms(match),
        *_events(match),
        *_around_the_board(match),
        *tournament_samples.from_server(),
        *_looked_up(match),
    )


def _about_accounts() -> Iterator[Struct]:
    yield m.CreateRecoveryCodes(id=139, password="correct horse battery staple")  # noqa: S106 - an example
    yield m.GetRecoveryCodes(id=140)
    yield m.RecoverAccount(id=141, name="Ada", code="k7m2p-x9qwe", password="a new password")  # noqa: S106 - an example
    yield m.GetEmail(id=142)
    yield m.SetEmail(id=143, address="ada@example.org", password="correct horse battery staple")  # noqa: S106
    yield m.ConfirmEmail(id=144, code="0f1e2d3c4b5a69788796a5b4c3d2e1f0")
    yield m.RequestRecovery(id=145, name="Ada")
    yield m.SetNotifications(id=136, subscription=SUBSCRIPTION, kinds=("challenge", "your_turn"))
    yield m.SetNotifications(id=137, subscription=SUBSCRIPTION, replaces="https://push.example.net/send/dHVybnM")
    yield m.GetNotifications(id=138, endpoint=SUBSCRIPTION.endpoint)


def _about_players() -> Iterator[Struct]:
    yield m.Block(id=95, name="Ben")
    yield m.Block(id=95, name="Ben", on=False)
    yield m.Mute(id=96, name="Ben")
    yield m.Mute(id=96, name="Ben", on=False)
    yield m.GetBlockList(id=97)
    yield m.Report(id=98, name="Ben", reason="cheating")
    yield m.Report(id=98, name="Ben", reason="abuse", text="insults", room="r4Xw2k")


def _from_clients(match: SampleGame) -> Iterator[Struct]:
    yield m.Hello("example 1.0", TOKEN, (m.Cursor(ROOM, EPOCH, 12),), session=SESSION)
    yield m.Hello("example 1.0", name="Ada")
    yield m.Hello("example 1.0", TOKEN, (m.Cursor(ROOM, EPOCH, 12),), "Ada", choices=False)
    yield m.Ping(7)
    yield m.Register(id=90, name="Ada", password="correct horse battery")  # noqa: S106 - opens nothing
    yield m.SignIn(id=91, name="Ada", password="correct horse battery")  # noqa: S106 - opens nothing
    yield m.SignOut(id=92, everywhere=True)
    yield m.ChangePassword(id=93, old="correct horse battery", new="staple in a haystack")
    yield m.ExportAccount(id=94)
    yield from _about_accounts()
    yield from _about_players()
    yield m.CreateBot(id=94, name="Robot")
    yield m.CreateToken(id=95, scopes=("read", "play"))
    yield m.WatchLobby(id=100, on=False)
    yield m.Seek(id=101, terms=TERMS, seat="first", ratings=(1400, 1800))
    yield m.Cancel(id=102, seek="s81")
    yield m.Accept(id=103, seek="s82")
    yield m.Queue(id=104, terms=TERMS)
    yield m.Challenge(id=105, terms=TERMS, to="Berta", seat="second", position=_position(match))
    yield m.Create(id=106, terms=PLAIN, levels=(None, "1"), position=_position(match))
    yield m.Join(id=107, room=ROOM)
    yield m.Leave(id=108, room=ROOM)
    yield m.Sync(id=109, room=ROOM, epoch=EPOCH, seq=12)
    yield m.Play(id=110, room=ROOM, ply=0, move=match.moves[0].move)
    yield m.Play(id=111, room=ROOM, ply=0, picks=_first_turn(match))
    yield m.Explore(id=112, room=ROOM, ply=0, picks=_first_turn(match)[:1])
    yield m.Describe(id=128, room=ROOM, ply=2)
    yield m.Describe(id=129, room=ROOM, ply=0, picks=_first_turn(match))
    yield m.ChooseFirst(id=113, room=ROOM, go_first=True)
    yield m.Offer(id=114, room=ROOM, kind="draw")
    yield m.AnswerOffer(id=115, room=ROOM, kind="draw", accept=False)
    yield m.Resign(id=116, room=ROOM)
    yield m.Abort(id=117, room=ROOM)
    yield m.Claim(id=118, room=ROOM)
    yield m.Say(id=119, room=ROOM, text="Good luck! Viel Glück! 祝你好运 🎲")
    yield m.Berserk(id=142, room=ROOM)
    yield from tournament_samples.from_clients()
    yield from _about_games(match)
    yield m.GetProfile(id=127, name="Ada")
    yield m.GetLeaderboard(id=121, game="mitsudomoe", offset=20)
    yield m.ListPlayers(id=122)
    yield m.ListPlayers(id=123, after="ada")


def _about_games(match: SampleGame) -> Iterator[Struct]:
    yield m.Assess(id=122, room=ROOM, ply=2)
    yield m.Study(
        id=134, terms=PLAIN, position=_position(match), moves=(match.moves[0].move,), picks=_first_turn(match)[:1]
    )
    yield m.AssessPosition(id=135, terms=PLAIN, position=_position(match), moves=(match.moves[0].move,))
    yield from position_samples.from_clients(_position(match))
    yield m.GetAnalysis(id=136, room=ROOM)
    yield m.SaveVariations(id=137, room=ROOM, variations=(_variation(match),))
    yield m.Preview(id=123, terms=PLAIN, position=_position(match))
    yield m.GetRules(id=124, game="mitsudomoe")
    yield m.GetLesson(id=130, game="mitsudomoe")
    yield m.ExploreLesson(id=131, game="mitsudomoe", step="ring-then-ball", picks=_first_turn(match)[:1])
    yield m.TryMove(id=132, game="mitsudomoe", step="ring-then-ball", move="+b3 a2-b3")
    yield m.TryMove(id=133, game="mitsudomoe", step="ring-then-ball", picks=_first_turn(match))
    yield m.GetRecord(id=120, room=ROOM)
    yield m.ReadRecord(id=125, text=RECORD)
    yield m.ListGames(
        id=126, player="Ada", opponent="Berta", result="won", game="mitsudomoe", since=1_750_000_000_000,
        until=1_760_000_000_000, min_plies=20, max_plies=60, before="1760000000000-m4Tq8Z",
    )  # fmt: skip


def _answers() -> Iterator[Struct]:
    yield m.Ok(id=110, seq=13, epoch=EPOCH)
    yield m.Ok(id=103, room=ROOM)
    yield m.Ok(id=101, seek="s81")
    yield m.Ok(id=148, tournament=CUP)
    yield m.Refused(code=ErrorCode.NOT_YOUR_TURN.value, text="It is Black's turn.", id=110)
    yield m.Refused(code=ErrorCode.ROOM_UNKNOWN.value, text=f"There is no room “{ROOM}”.", id=103, room=ROOM)
    yield m.Refused(code=ErrorCode.TOO_MANY_SEEKS.value, text="Try again in 12 seconds.", id=111, retry_after=12_000)
    yield m.Refused(code=ErrorCode.REQUEST_MALFORMED.value, text="play: Object missing required field `room`.")
    yield m.Welcome(
        you=ADA,
        token=TOKEN,
        session=SESSION,
        time=NOW,
        games=(game_card("mitsudomoe"),),
        max_message_size=MAX_MESSAGE_SIZE,
        nodes=ADDRESSES,
        server="parlour 0.2.0",
    )
    yield m.SignedIn(id=90, you=Player("Ada"), token=TOKEN)
    yield m.Pong(7, (m.Cursor(ROOM, EPOCH, 13),))
    yield m.Announced(text="The server restarts at noon.", at=NOW)
    yield m.Announced(text="Please be friendly in the chat.", kind="warning", at=NOW)
    yield m.AccountData(id=94, data='{"name": "Ada"}')
    yield m.RecoveryCodes(id=139, codes=("k7m2p-x9qwe", "h4ntz-b8vcd"), left=2)
    yield m.Email(id=142, address="ada@example.org", offered=True)
    yield m.Notifications(id=138, key=PUSH_KEY, kinds=("challenge", "your_turn"))
    yield m.BlockList(id=97)
    yield m.BlockList(id=97, blocked=("Ben",), muted=("Eve",))


def _lobby(match: SampleGame) -> Iterator[Struct]:
    seeking = m.OpenSeek("s81", ADA, TERMS, "first", (1400, 1800))
    simple = m.OpenSeek("s82", GUEST, PLAIN)
    live = m.LiveGame(ROOM, match.game, (ADA, BERTA), BLITZ, True, 3, 2, match.board, match.scenes[2])
    yield m.Lobby(n=40, seeks=(seeking, simple), live=(live,), featured=ROOM, online=57)
    yield m.LobbyChanged(
        n=41,
        seeks=(simple,),
        seeks_removed=("s81",),
        live=(m.LiveGame(NEXT, match.game, (GUEST, ROBOT)),),
        live_removed=(ROOM,),
        featured=NEXT,
        online=56,
    )
    yield m.Challenged(seek="s83", player=BERTA, terms=TERMS)
    yield m.ChallengeClosed(seek="s83", declined=True)
    yield m.Paired(room=ROOM, seat=0, seek="s81")
    yield m.Paired(room=ROOM, seat=1, tournament=CUP)
    yield m.YourGame(room=ROOM, game=match.game, opponent=BERTA, ply=2, to_move=0)
    yield m.YourGame(room=ROOM, game=match.game, opponent=BERTA, ply=31)


def _rooms(match: SampleGame) -> Iterator[Struct]:
    plies = 2
    playing = m.Room(
        room=ROOM,
        epoch=EPOCH,
        seq=plies,
        hash=scene_hash(match.scenes[plies]),
        board=match.board,
        scene=match.scenes[plies],
        terms=TERMS,
        players=(SeatedPlayer(ADA, online=True), SeatedPlayer(BERTA)),
        status="playing",
        moves=tuple(moved.move for moved in match.moves[:plies]),
        id=107,
        seat=1,
        clocks=(TimeLeft(287_500), TimeLeft(301_200)),
        offers=("0:draw",),
        spectators=3,
        turn_elapsed=4_100,
    )
    still = _over(playing.scene)
    yield playing
    yield msgspec.structs.replace(
        playing,
        seq=plies + 1,
        hash=scene_hash(still),
        scene=still,
        status="over",
        offers=(),
        result=Result(0, "resigned"),
        turn_elapsed=0,
        next=NEXT,
    )
    yield msgspec.structs.replace(playing, unrated="same_network", tournament=CUP, berserk=(False, True))
    start = match.scenes[0]
    yield msgspec.structs.replace(
        playing, seq=1, hash=scene_hash(start), scene=start, status="choosing", moves=(), offers=(), chooser=1
    )
    yield msgspec.structs.replace(match.moves[0], clock=296_400)
    yield msgspec.structs.replace(match.moves[0], clock=TimeLeft(12_000, 3))
    yield match.moves[1]


def _over(scene: Scene) -> Scene:
    """Return the same scene with no seat to move."""
    return Scene(scene.pieces, scene.tallies, None, scene.marks)


def _events(match: SampleGame) -> Iterator[Struct]:
    def event(what: Any, seq: int, scene: Scene, **fields: Any) -> m.RoomEvent:
        return m.RoomEvent(room=ROOM, epoch=EPOCH, seq=seq, hash=scene_hash(scene), kind=what, **fields)

    first, back, here = match.scenes[:3]
    over = _over(here)
    full = TimeLeft(300_000)
    yield event("offered", 3, here, seat=0, offer="draw")
    yield event("declined", 4, here, seat=1, offer="draw")
    yield event("withdrawn", 4, here, seat=0, offer="draw")
    yield event("chose", 2, first, players=(SeatedPlayer(ADA, online=True), SeatedPlayer(BERTA, online=True)))
    yield event("swapped", 2, first, players=(SeatedPlayer(BERTA, online=True), SeatedPlayer(ADA, online=True)))
    yield event("started", 3, first, clocks=(full, full), status="playing")
    times = (TimeLeft(290_000), TimeLeft(301_200))
    yield event("taken_back", 3, back, seat=0, plies=1, clocks=times, change=diff(here, back))
    yield event("disconnected", 3, here, seat=1, players=(SeatedPlayer(ADA, online=True), SeatedPlayer(BERTA)))
    yield event(
        "reconnected", 4, here, seat=1, players=(SeatedPlayer(ADA, online=True), SeatedPlayer(BERTA, online=True))
    )
    yield event("excused", 3, here, clocks=times)
    yield event("berserk", 1, first, seat=0, clocks=(TimeLeft(150_000), full))
    for seat, result in (
        (1, Result(None, "agreed")),
        (1, Result(0, "resigned")),
        (0, Result(1, "flag")),
        (0, Result(0, "abandoned")),
        (0, Result(None, "aborted")),
        (None, Result(None, "cancelled")),
        (0, Result(1, "resigned", unrated="not_both_moved")),
    ):
        yield event("ended", 3, over, seat=seat, result=result, status="over", change=diff(here, over))
    last = len(match.moves)
    yield event("ended", last + 1, match.scenes[-1], result=match.result, status="over")
    yield event("rematch", last + 2, match.scenes[-1], seat=0, next=NEXT)
    yield event("closed", last + 3, match.scenes[-1])


def _around_the_board(match: SampleGame) -> Iterator[Struct]:
    game = games.find(match.game)
    state = game.initial(match.options)
    first = _first_turn(match)[:1]
    step, prompts = choices(game, state, first)
    yield m.Choices(room=ROOM, ply=0, step=step, prompts=prompts, id=112, picks=first)
    step, prompts = choices(game, state)
    yield m.Choices(room=ROOM, ply=0, step=step, prompts=prompts)
    yield m.Presence(room=ROOM, online=(True, False), spectators=3, claim_in=25_000, abort_in=30_000)
    yield m.Described(id=128, room=ROOM, ply=2, text="Berta adds a ring on c5 and steps from d5 to c5.")
    change = diff(*match.scenes[:2])
    yield m.Described(id=129, room=ROOM, ply=0, text="You add a ring on b3 and step from a2 to b3.", change=change)
    yield m.Said(room=ROOM, name="Ada", text="Good luck! Viel Glück! 祝你好运 🎲", at=NOW, seat=0)
    yield m.Rated(room=ROOM, ratings=(1651, 1537))


def _lesson(match: SampleGame) -> Iterator[Struct]:
    step = m.LessonStep(
        key="ring-then-ball",
        title="A ring, then a ball",
        teaches="Every turn is a ring step followed by a ball step.",
        prompt="Put a ring next to a ball, then step that ball onto it.",
        seat=0,
        scene=match.scenes[0],
        hint="Choose the supply, put the ring on b3, then move the ball from a2 to b3.",
        hint_move=match.moves[0].move,
        hint_picks=_first_turn(match),
        look=(m.LessonLook((0, 1, 5), "Your home."),),
        continues=True,
    )
    yield m.Lesson(
        id=130,
        game=match.game,
        title="Learn Mitsudomoe",
        summary="Bring your three balls to the opposite corner.",
        minutes=2,
        board=match.board,
        steps=(step,),
        ready=m.LessonReady("You’re ready.", "Play a beginner", PLAIN, "1", 0),
    )
    game = games.find(match.game)
    first = _first_turn(match)[:1]
    tree, prompts = choices(game, game.initial(match.options), first)
    yield m.LessonChoices(id=131, step=tree, prompts=prompts, picks=first)
    before, here, then = match.scenes[:3]
    yield m.Tried(
        id=132,
        solved=True,
        move=match.moves[0].move,
        words="You add a ring on b3 and step from a2 to b3.",
        text="That is a whole turn: ring, then ball.",
        change=diff(before, here),
        reply=m.LessonReply(match.moves[1].move, "Black adds a ring on c5 and steps from d5 to c5.", diff(here, then)),
    )


def _studied(match: SampleGame) -> Iterator[Struct]:
    game = games.find(match.game)
    state = game.initial(match.options)
    step, prompts = choices(game, state, _first_turn(match)[:2])
    yield m.Studied(
        id=134, board=match.board, scene=match.scenes[0], moves=(), position=game.print(state), step=step,
        prompts=prompts, picks=_first_turn(match)[:2],
    )  # fmt: skip
    after = game.apply(state, game.read(state, match.moves[0].move))
    yield m.Studied(
        id=134, board=match.board, scene=_over(match.scenes[1]), moves=(match.moves[0].move,),
        position=game.print(after), text="White adds a ring on b3 and steps from a2 to b3.", result=Result(0, "stuck"),
    )  # fmt: skip


def _looked_up(match: SampleGame) -> Iterator[Struct]:
    moves = tuple(moved.move for moved in match.moves)
    board, scene = match.board, match.scenes[0]
    turn = _first_turn(match)
    yield m.Assessment(
        id=122, room=ROOM, ply=2, seat=0, chance=620, move=moves[0], picks=turn, line=moves[:3], score=140
    )
    yield m.Analysis(
        id=136,
        room=ROOM,
        assessments=(m.PositionAssessment(2, 0, 620, moves[0], turn, moves[:3]),),
        variations=((_variation(match),), ()),
        seat=0,
    )
    yield from _studied(match)
    yield from position_samples.from_server(_position(match), board, scene)
    yield m.Previewed(id=123, board=board, scene=scene)
    rules = "# Mitsudomoe\n\nThree balls, three in a row.\n\n![The first position](pictures/mitsudomoe-start.svg)\n"
    example = m.RulesExample("pictures/mitsudomoe-start.svg", board, scene, (0, 1, Pick(2, "lay a ring here")))
    yield m.Rules(id=124, game=match.game, text=rules, examples=(example,))
    yield from _lesson(match)
    record = m.Record(
        id=120, room=ROOM, terms=TERMS, options=match.options, players=(ADA, BERTA),
        moves=tuple(m.RecordedMove(moved.move, 4_000 + 150 * moved.seq, moved.change) for moved in match.moves[:3]),
        rules_version=games.find(match.game).info.rules_version, replayable=True, board=match.board,
        initial_scene=match.scenes[0], result=Result(1, "abandoned"), started=NOW, ended=NOW + 40_000,
        chain="9f86.d081.884c.7d659a2feaa0c55ad015a3bf4f1b2b0b", text=RECORD,
        salts=("5d41402abc4b2a76", "9a0364b9e99bb480"), erased=("", ""),
    )  # fmt: skip
    yield record
    yield msgspec.structs.replace(
        record,
        players=(ADA, Player("Deleted player")),
        position=_position(match),
        result=Result(1, "abandoned", (2, 3)),
        salts=("5d41402abc4b2a76", ""),
        erased=("", "7d793037a0760186574b0282f2f435e7"),
    )
    line = m.GameSummary(ROOM, match.game, (ADA, BERTA), Result(1, "abandoned"), 3, NOW, True, BLITZ)
    yield m.Games(id=126, rows=(line,), more="1760000000000-m4Tq8Z")
    history = ((NOW - 86_400_000, 1630), (NOW, 1643))
    ratings = m.GameRating(match.game, 1643, 52, games=214, won=120, lost=80, drawn=14, place=3, history=history)
    yield m.Profile(
        id=127,
        player=ADA,
        created=NOW,
        online=True,
        ratings=(ratings,),
        bots=("Robot",),
        playing=(ROOM,),
    )
    yield m.Profile(id=127, player=Player("Robot", bot=True), created=NOW, owner="Berta", blocked=True, muted=True)
    yield m.Leaderboard(
        id=121, game=match.game, offset=20, rows=(m.LeaderboardEntry(ADA, 214), m.LeaderboardEntry(ROBOT, 1893))
    )
    yield m.Players(
        id=122,
        rows=(
            m.OnlinePlayer(Player("Ada"), {"mitsudomoe": 1642, "replica": 1588}, (ROOM,)),
            m.OnlinePlayer(Player("Robot", bot=True)),
        ),
        more="robot",
    )
    code = CloseCode.RESTART
    yield m.Closing(code=code.value, text="The server is stopping. Connect again.", nodes=ADDRESSES)


def _position(match: SampleGame) -> str:
    game = games.find(match.game)
    return game.print(game.initial(match.options))


def _variation(match: SampleGame) -> m.Variation:
    return m.Variation(0, (match.moves[0].move,))


def _first_turn(match: SampleGame) -> tuple[int, ...]:
    """The picks of the first move."""
    game = games.find(match.game)
    state = game.initial(match.options)
    return tuple(game.scan(state, match.moves[0].move))
