"""The look of marks and picks: a sign under a piece or, where there is no room for that, around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from parlour.protocol.scene import BoardSpec, Mark, Scene
from parlour.protocol.types import Pick
from parlour.terminal.drawing.lines import Ink
from parlour.terminal.drawing.style import Style


class Sign(NamedTuple):
    """The mark of one place."""

    under: str  # written below the piece
    sides: str  # two characters to write around it instead
    ink: Ink
    encloses: bool = False  # `sides` are used wherever nothing else stands there, even with a line below


class Chip(NamedTuple):
    """A pick without a cell of its own, drawn on a cell: one number of a list, say."""

    place: int
    label: str


class Marking(NamedTuple):
    """The marks of a scene, by place."""

    now: Mapping[int, Sign]  # the turn that is being chosen
    past: Mapping[int, Sign]  # the last one
    chips: Mapping[int, Chip]
    ghosts: frozenset[int]
    lined: frozenset[int]

    def sign(self, place: int) -> Sign | None:
        """Return the sign to show where there is room for only one."""
        return self.now.get(place) or self.past.get(place)


# In Unicode and in ASCII. Later ones hide earlier ones at the same place.
_PAST = {
    Mark.GONE: (Sign(" × ", "××", Ink.LAST), Sign(" x ", "%%", Ink.LAST)),
    Mark.TURNED: (Sign("~~~", "~~", Ink.LAST), Sign("~~~", "~~", Ink.LAST)),
    Mark.FROM: (Sign("─ ─", "''", Ink.LAST), Sign("- -", "''", Ink.LAST)),
    Mark.LAST: (Sign("───", "──", Ink.LAST), Sign("---", "--", Ink.LAST)),
}
_NOW = {
    Mark.SIGHT: (Sign('"""', '""', Ink.PICK), Sign('"""', '""', Ink.PICK)),
    Mark.COUNTED: (Sign(" ✓ ", "✓✓", Ink.PICK), Sign(" v ", "vv", Ink.PICK)),
    # The name of the place it leads to is added.
    Mark.STEP: (Sign("→", "→→", Ink.PICK), Sign(">", ">>", Ink.PICK)),
    Mark.CHOSEN: (Sign("═══", "{}", Ink.PICK, True), Sign("===", "{}", Ink.PICK, True)),
}
_PICK = Sign("^^^", "[]", Ink.PICK, True)
_PICK_KINDS = {"capture": "×x", "crown": "♔K"}


def marking(
    spec: BoardSpec, scene: Scene, style: Style, picks: Sequence[int | Pick], pointers: Mapping[int, str] = {}
) -> Marking:
    """Return the marks of a scene and of the legal picks. Unknown kinds of marks are ignored.

    `pointers`: one character each, for places to point at.
    """
    past = {place: variants[not style.unicode] for kind, variants in _PAST.items() for place in _places(scene, kind)}
    now = _now(spec, scene, style)
    chips = {}
    now |= {place: Sign(f" {label} ", f" {label}", Ink.PICK) for place, label in pointers.items()}
    for offered in picks:
        pick = Pick(offered) if isinstance(offered, int) else offered
        now[pick.place] = _pick(now.get(pick.place), pick.kind, style, pointers.get(pick.place, ""))
        if pick.cell is not None:
            chips[pick.cell] = Chip(pick.place, style.legible(pick.label or spec.place_name(pick.place)))
    return Marking(now, past, chips, _places(scene, Mark.GHOST), _places(scene, Mark.LINE))


def _now(spec: BoardSpec, scene: Scene, style: Style) -> dict[int, Sign]:
    signs: dict[int, Sign] = {}
    for kind, variants in _NOW.items():
        look = variants[not style.unicode]
        for marked, *places in scene.marks:
            if marked != kind:
                continue
            if kind is Mark.STEP:
                start, end = places[:2]
                signs[start] = look._replace(under=look.under + style.legible(spec.place_name(end)))
                signs[end] = _NOW[Mark.CHOSEN][not style.unicode]
            elif kind is Mark.SIGHT:
                signs[places[1]] = look
            else:
                signs.update(dict.fromkeys(places, look))
    return signs


def _pick(before: Sign | None, kind: str, style: Style, pointer: str) -> Sign:
    """Return the sign of a pick, with its kind, its pointer, and whether it is chosen already."""
    under, sides = _PICK.under, _PICK.sides
    if before is not None and before.sides == "{}":
        under, sides = before.under, "{]"
    middle = pointer or _PICK_KINDS.get(kind, "^^")[not style.unicode]
    # A pointer is on the right: on the left, the bracket may be needed to tell whose piece it is.
    return _PICK._replace(under=under[0] + middle + under[-1], sides=sides[0] + (pointer or sides[1]))


def _places(scene: Scene, kind: Mark) -> frozenset[int]:
    return frozenset(place for marked, *places in scene.marks if marked == kind for place in places)
