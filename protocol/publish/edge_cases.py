"""Scenes and changes that are easy to get wrong: numbers and texts of every length, changes of every kind."""

from __future__ import annotations

from parlour.protocol.scene import Mark, Scene, SceneDiff

EMPTY = Scene((), ((), ()), 0)

# The scene whose bytes the reference explains.
WORKED = Scene(((2, 0), (9, 0, 3)), ((12,), (200, -40)), 1, ((Mark.LAST, 9), (Mark.FROM, 2)), "Hé!")

_LONG = tuple((place, place % 5) for place in range(300))

SCENES = {
    "the worked example": WORKED,
    "nothing on the board": EMPTY,
    "the game is over": Scene(((0, 1),), ((1,), (0,)), None),
    "no tallies at all": Scene(((0, 1),), (), 1),
    "numbers from 0 up": Scene((), ((0, 1, 127, 128, 255, 256), (65535, 65536, 2**32 - 1, 2**32, 2**53 - 1)), 0),
    "numbers below 0": Scene((), ((-1, -32, -33, -128, -129), (-32768, -32769, -(2**31), -(2**31) - 1)), 0),
    "15 pieces": Scene(_LONG[:15], ((15,), (0,)), 0),
    "16 pieces": Scene(_LONG[:16], ((16,), (0,)), 0),
    "300 pieces": Scene(_LONG, ((300,), (0,)), 0),
    "a stack of 16": Scene(((7, *range(16)),), ((0,), (0,)), 0),
    "marks of every kind": Scene(((3, 0),), ((1,), (1,)), 1, tuple((mark, 3, 4) for mark in Mark)),
    "a note of 31 bytes": Scene((), ((), ()), 1, (), "x" * 31),
    "a note of 32 bytes": Scene((), ((), ()), 1, (), "x" * 32),
    "a note of 256 bytes": Scene((), ((), ()), 1, (), "x" * 256),
    "a note of 16 characters and 32 bytes": Scene((), ((), ()), 1, (), "é" * 16),
    "a note beyond the basic plane": Scene((), ((), ()), 1, (), "Weiß passt 🎲"),
}

_OLD = Scene(((0, 1), (3, 0, 2), (7, 1)), ((5, 1), (4, 0)), 0, ((Mark.LAST, 3),), "White had no move.")

PATCHES = {
    "nothing but the turn": (_OLD, SceneDiff((), (), 1)),
    "a piece is put down": (_OLD, SceneDiff(((5, 4),), (), 1, ((Mark.LAST, 5),))),
    "a piece is put down before all others": (Scene(((3, 0),), ((), ()), 0), SceneDiff(((1, 4),), (), 1)),
    "a piece is taken off": (_OLD, SceneDiff(((7,),), (), 1)),
    "a piece moves": (_OLD, SceneDiff(((0,), (1, 1)), (), 1, ((Mark.LAST, 1), (Mark.FROM, 0)))),
    "a piece changes": (_OLD, SceneDiff(((0, 3),), (), 1, ((Mark.TURNED, 0),))),
    "a stack grows": (_OLD, SceneDiff(((3, 0, 2, 1),), (), 1)),
    "a stack shrinks": (_OLD, SceneDiff(((3, 0),), (), 1)),
    "one tally changes": (_OLD, SceneDiff((), ((1, 40, 2),), 1)),
    "both tallies change": (_OLD, SceneDiff((), ((0, 6, 1), (1, 40, 2)), 1)),
    "the same seat goes on, with a note": (_OLD, SceneDiff((), (), 0, (), "Black had no move.")),
    "the game ends": (_OLD, SceneDiff(((7,),), ((0, 6, 0),), None)),
    "everything at once": (
        _OLD,
        SceneDiff(((0,), (1, 1), (3, 0), (7,), (30, 2)), ((0, 9, 9), (1, 0, 0)), 1, ((Mark.LAST, 1),), "Check!"),
    ),
    "a place that was empty is emptied": (EMPTY, SceneDiff(((4,),), (), 1)),
}
