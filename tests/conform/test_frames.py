"""The frames that a failed rule shows."""

from __future__ import annotations

from parlour.conform.frames import AFTER, AFTER_MARKS, BEFORE, WIDTH, Transcript
from parlour.protocol.messages import Moved, Ping, Said
from parlour.protocol.scene import SceneDiff


def test_the_last_frames_are_kept() -> None:
    """Older frames are forgotten, and times count from the beginning of the scenario."""
    times = iter([10.0, 10.5, 11.0, 12.25])
    transcript = Transcript(lambda: next(times), keep=2)
    for n in range(3):
        transcript.add(1, "client", Ping(n))
    assert [frame.line() for frame in transcript.frames] == [
        '   1.000 #1 > {"t":"ping","n":1}',
        '   2.250 #1 > {"t":"ping","n":2}',
    ]


def test_frames_around_a_mark_are_kept() -> None:
    """However many follow; and what is left out between them and the last ones is said."""
    transcript = Transcript(lambda: 0.0)
    for n in range(100):
        if n == 40:
            transcript.mark("an update was left out")
        transcript.add(2, "client", Ping(n))
    around = [*range(40 - BEFORE, 40), *range(40, 40 + AFTER)]
    last = range(100 - AFTER_MARKS, 100)
    left_out = f"frames left out: {100 - 40 - AFTER - AFTER_MARKS}"
    pings = {n: f'{{"t":"ping","n":{n}}}' for n in range(100)}
    shown = [pings[n] for n in around]
    shown[BEFORE:BEFORE] = ["an update was left out"]
    assert [frame.text for frame in transcript.frames] == [*shown, left_out, *(pings[n] for n in last)]
    transcript.clear()
    assert transcript.frames == ()


def test_a_mark_at_the_end_leaves_nothing_out() -> None:
    """The frames around it are among the last ones, and each is shown once."""
    transcript = Transcript(lambda: 0.0)
    for n in range(5):
        transcript.add(1, "client", Ping(n))
    transcript.mark("it does not answer")
    assert [frame.text for frame in transcript.frames][-2:] == ['{"t":"ping","n":4}', "it does not answer"]
    assert len(transcript.frames) == 6


def test_frames_are_readable() -> None:
    """Arrays are shown as they are sent, events in words, and long frames are cut in a line only."""
    transcript = Transcript(lambda: 0.0)
    transcript.add(2, "server", Moved("r", 1, 2, 3, "a1", None, SceneDiff((), (), 1)))
    transcript.add(2, "kit", "the connection is cut")
    transcript.add(2, "server", Said(room="r", name="Ada", text="x" * 300))
    moved, cut, said = transcript.frames
    assert moved.line() == '   0.000 #2 < [0,"r",1,2,3,"a1",null,[[],[],1,[],""]]'
    assert cut.line() == "   0.000 #2 — the connection is cut"
    assert len(said.line()) < WIDTH + 20
    assert "x" * 300 in said.text
