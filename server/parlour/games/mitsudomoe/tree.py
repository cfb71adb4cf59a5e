"""Mitsudomoe's choices, encoded in one go, which takes a tenth of the time of building them step by step.

Two ring steps look different, but what follows them hardly differs: each opens one landing and closes one at most. So
the picks of a ball are encoded once for every set of landings, and only the looks are inserted between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from parlour.games import encoded_tree as encoded
from parlour.games import grid
from parlour.games.api import Seat
from parlour.games.encoded_tree import BEGINNINGS, CUTS, FALSE, NUMBERS, EncodedTree, array, encode
from parlour.games.mitsudomoe import board
from parlour.games.mitsudomoe.board import EVERYWHERE, GOALS, GRID, NEIGHBOURS, Vault, cells
from parlour.games.mitsudomoe.position import BALLS, FIRST_SLOT, State
from parlour.games.mitsudomoe.turns import Source, next_relocations, sources
from parlour.games.mitsudomoe.view import BALL, BALL_TO, RING, RING_TO, View, relocating, stack
from parlour.protocol.scene import Mark
from parlour.protocol.types import Pick

# The numbers of the prompts. Those for jumped balls follow them.
_RING, _RING_TO, _BALL, _BALL_TO = range(4)

_LOSING = tuple(encode(Pick(cell, "loses")) for cell in range(GRID.size))
_LEAPS = tuple(encode(Pick(cell, "vault")) for cell in range(GRID.size))
_VAULTS = tuple(leap[:-2] for leap in _LEAPS)  # followed by a step and `FALSE`

# What follows a ring step, in parts; the look of that step and `FALSE` belong between each two. The steps behind the
# balls all look the same, and the last two parts are empty. There are no parts if no ball can move.
_Parts = list[bytes]
_END = [b"", b""]

# A cell for a ring, what follows if no ball vaults, and the vaults.
_Target = tuple[int, _Parts, list[Vault]]


class _Relocation(NamedTuple):
    """The part that is the same after every ring step while jumped balls are relocated."""

    prompt: int
    moved: dict[int, Seat | None]  # the cells whose balls have changed: the seat of the ball that is there now
    stacks: dict[int, bytes]  # the stacks of these cells, if the ring step leaves them alone
    closing: bytes  # the end of the look


# The fewest bytes of a part of what follows a ring step and its look, and of a step that relocates a ball, both without
# the stacks that the ring step has changed.
_PART_BYTES, _VAULT_BYTES = 16, 26

# How the step that asks for a ball begins, by the number of balls.
_BEGINNINGS = tuple(encoded.step(_BALL, encoded.beginning(balls), b"") for balls in range(BALLS + 1))


@lru_cache(maxsize=1 << 12)
def _stack(cell: int, rings: int, ball: Seat | None = None) -> bytes:
    """Return the rings of a cell, and the ball of a seat on top of them."""
    return encode(stack(cell, rings) if ball is None else (*stack(cell, rings), 2 * ball + 1))


@lru_cache(maxsize=1 << 12)
def _goes(landings: int, near: int) -> tuple[bytes, ...]:
    """Return the picks of cells to which a ball can walk, or leap over own balls if they are not near."""
    return tuple([NUMBERS[cell] if near >> cell & 1 else _LEAPS[cell] for cell in cells(landings)])


def _ball(ball: int, goes: Sequence[bytes]) -> bytes:
    """Return the pick of a ball and of where it goes, up to the look of that step."""
    return BEGINNINGS[ball] + encoded.step(_BALL_TO, array(goes), b"")


@lru_cache(maxsize=1 << 12)
def _walking_ball(ball: int, landings: int) -> bytes:
    """Return the same for a ball that jumps no enemy ball."""
    return _ball(ball, _goes(landings, NEIGHBOURS[ball]))


@lru_cache(maxsize=1 << 12)
def _relocations(free: int, jumped: int, chosen: tuple[int, ...], original: bool) -> tuple[tuple[int, ...], bytes]:
    """Return the cells for one more jumped ball, and their picks if it is the last one."""
    if original:
        offered = tuple(cell for cell in cells(free) if cell not in chosen)
    else:
        offered = tuple(next_relocations(free, jumped, chosen))
    return offered, encode(offered)


def _steps(many: int, free: int) -> int:
    """Return the number of steps that relocate that many balls, one after the other, to that many cells."""
    return 1 if many == 1 else 1 + free * _steps(many - 1, free - 1)


def _ball_step(balls: list[bytes]) -> _Parts:
    """Make some balls the step that asks for one of them."""
    if balls:
        balls[0] = _BEGINNINGS[len(balls)] + balls[0]
        balls += _END
    return balls


class Tree(View):
    def tree(self, state: State) -> EncodedTree | None:
        return None if state.turn is None else _Turn(self, state).tree()


class _Turn:
    """All turns from one position."""

    def __init__(self, game: View, state: State) -> None:
        assert state.turn is not None
        self._state = state
        self._turn = turn = state.turn
        self._own, self._enemy = own, enemy = state.balls[turn], state.balls[1 - turn]
        self._tallies = game.scene(state).tallies
        self._empty = empty = EVERYWHERE ^ own ^ enemy
        self._look = encoded.look(b"", turn)  # which lacks its pieces
        self._put = {cell: _stack(cell, state.stacks[cell] << 1 | turn) for cell in cells(empty)}
        walks, self._vaults = board.ball_steps(turn, own, enemy, state.original)
        reach = dict.fromkeys(cells(own), 0)
        for ball, landing in walks:
            reach[ball] |= 1 << landing
        self._walks = list(reach.items())  # the balls, and the cells to which they can walk
        self._landings = grid.mask([walk[1] for walk in walks])
        self._vault_landings = grid.mask([vault[1] for vault in self._vaults])
        self._known: dict[int, _Parts] = {}  # by the landings that show an own ring: what follows without vaults
        self._relocations: dict[tuple[Vault, tuple[int, ...]], _Relocation] = {}
        self._prompts = {RING: _RING, RING_TO: _RING_TO, BALL: _BALL, BALL_TO: _BALL_TO}
        self._is_stuck = True  # no ball can move, whatever the ring step
        self._is_cut = False
        self._size = 0  # the bytes of the whole tree, at least

    def tree(self) -> EncodedTree:
        """Return the whole tree; if it is too large, only the picks up to the ball."""
        places = sorted(sources(self._state, self._turn, self._empty))
        found = [(source, targets) for source in places if (targets := self._targets(source))]
        self._is_cut = self._size > encoded.MOST_BYTES
        picks = [BEGINNINGS[source[0]] + self._ring_to(source, targets) + FALSE for source, targets in found]
        asked = _BALL if self._is_stuck else _BALL_TO if self._is_cut else len(self._prompts)
        return EncodedTree(encoded.step(_RING, array(picks)), tuple(self._prompts)[:asked])

    def _targets(self, source: Source) -> list[_Target]:
        """Return where a ring may go; in the published rules, only if a ball step can follow."""
        place, mine, theirs = source
        landings, room, original = self._landings, theirs.bit_count(), self._state.original
        usual, usual_vaults = self._follows(mine), self._possible_vaults(mine, theirs)
        # The cells on which the ring may change which vaults are possible.
        vaulted = self._vault_landings | theirs if usual_vaults and room <= BALLS else self._vault_landings
        left, put = len(self._left(place)), self._put
        found: list[_Target] = []
        size = 0
        for target in cells(self._empty & ~(1 << place)):
            ring = 1 << target
            parts = self._follows(mine | ring) if landings & ring else usual
            vaults = self._possible_vaults(mine | ring, theirs & ~ring) if vaulted & ring else usual_vaults
            if parts or vaults or original:
                found.append((target, parts, vaults))
                stacks = left + len(put[target])
                size += (_PART_BYTES + stacks) * max(0, len(parts) - 1)
                for vault in vaults:
                    many = vault[2].bit_count()
                    size += (_VAULT_BYTES + stacks + room) * _steps(many, room - 1 if original else room + many - 1)
        self._size += size
        return found

    def _ring_to(self, source: Source, targets: list[_Target]) -> bytes:
        """Return the step that asks where a ring goes."""
        place = source[0]
        left = self._left(place)
        opening, end = self._look[:1] + encoded.beginning(2), self._look[1:] + FALSE
        before, after = opening + left, left + end
        put, picks = self._put, []
        for target, walks, vaults in targets:
            parts = walks
            if vaults:
                parts = self._follows_with(vaults, source, target)
            elif parts and self._is_cut:
                parts = self._cut(source[1] | 1 << target)
            if parts:
                look = before + put[target] + end if place < target else opening + put[target] + after
                picks.append(BEGINNINGS[target] + look.join(parts))
                self._is_stuck = False
            else:
                picks.append(_LOSING[target])
        return encoded.step(_RING_TO, array(picks))

    def _left(self, place: int) -> bytes:
        """Return the rest of a place without its topmost ring."""
        if place < FIRST_SLOT:
            return _stack(place, self._state.stacks[place] >> 1)
        return encode((place, *[2 * self._turn] * (self._state.supply[self._turn] - 1)))

    def _follows(self, mine: int) -> _Parts:
        """Return the steps that follow if the cells without a ball show these own rings, and no ball can vault."""
        ready = mine & self._landings
        found = self._known.get(ready)
        if found is None:
            balls = [_walking_ball(ball, goes) for ball, landings in self._walks if (goes := landings & ready)]
            found = self._known[ready] = _ball_step(balls)
        return found

    def _cut(self, mine: int, vaults: Sequence[Vault] = ()) -> _Parts:
        """Return the steps that follow, up to the ball."""
        walking = [ball for ball, landings in self._walks if landings & mine]
        balls = sorted({*walking, *[vault[0] for vault in vaults]})
        return [encoded.step(_BALL, array([CUTS[ball] for ball in balls]), b""), b""]

    # -- vaults

    def _possible_vaults(self, mine: int, theirs: int) -> list[Vault]:
        """Return the vaults that are possible if the cells without a ball show these rings."""
        room = theirs.bit_count()
        original = self._state.original
        return [
            vault
            for vault in self._vaults
            if mine >> vault[1] & 1 and room >= (vault[2].bit_count() if original else 1)
        ]

    def _follows_with(self, vaults: list[Vault], source: Source, target: int) -> _Parts:
        """Return the steps that follow a ring step after which balls can vault."""
        mine = source[1] | 1 << target
        if self._is_cut:
            return self._cut(mine, vaults)
        balls = []
        for ball, reach in self._walks:
            landings = reach & mine
            vaulting = [vault for vault in vaults if vault[0] == ball]
            if vaulting:
                goes = [*zip(cells(landings), _goes(landings, NEIGHBOURS[ball]), strict=True)]
                goes += [(vault[1], self._vault(source, target, vault)) for vault in vaulting]
                goes.sort()
                balls.append(_ball(ball, [pick for _, pick in goes]))
            elif landings:
                balls.append(_walking_ball(ball, landings))
        return _ball_step(balls)

    def _vault(self, source: Source, target: int, vault: Vault) -> bytes:
        """Return the pick of the cell to which a ball vaults."""
        return _VAULTS[vault[1]] + self._relocate(source, target, vault) + FALSE

    def _relocate(self, source: Source, target: int, vault: Vault, chosen: tuple[int, ...] = ()) -> bytes:
        """Return the step that asks for a cell for one more jumped ball."""
        jumped = vault[2]
        relocation = self._relocations.get((vault, chosen))
        if relocation is None:
            relocation = self._relocations[vault, chosen] = self._relocation(vault, chosen)
        offered, picks = _relocations(source[2] & ~(1 << target), jumped, chosen, self._state.original)
        if len(chosen) + 1 < jumped.bit_count():
            steps = [self._relocate(source, target, vault, (*chosen, cell)) for cell in offered]
            picks = array([BEGINNINGS[cell] + step + FALSE for cell, step in zip(offered, steps, strict=True)])
        look = self._look[:1] + self._pieces(source[0], target, relocation) + relocation.closing
        return encoded.step(relocation.prompt, picks, look)

    def _relocation(self, vault: Vault, chosen: tuple[int, ...]) -> _Relocation:
        """Return the part that does not depend on the ring step."""
        ball, landing, jumped = vault
        many, made = jumped.bit_count(), len(chosen)
        prompt = self._prompts.setdefault(relocating(1 - self._turn, made, many), len(self._prompts))
        ghosts = [cell for cell in cells(jumped) if cell not in chosen][: many - made]
        own = self._own ^ 1 << ball ^ 1 << landing
        enemy = self._enemy & ~jumped | grid.mask(ghosts) | grid.mask(chosen)
        moved: dict[int, Seat | None] = {ball: None, landing: self._turn}
        for cell in cells(enemy ^ self._enemy):
            moved[cell] = 1 - self._turn if enemy >> cell & 1 else None
        marks = ((Mark.STEP, ball, landing), (Mark.GHOST, *ghosts))
        closing = encoded.look(b"", self._turn, encode(self._new_tallies(own, enemy)), encode(marks))[1:]
        stacks = {cell: _stack(cell, self._state.stacks[cell], seat) for cell, seat in moved.items()}
        return _Relocation(prompt, moved, stacks, closing)

    def _pieces(self, source: int, target: int, relocation: _Relocation) -> bytes:
        """Return the stacks that have changed once the ring and the balls are there."""
        stacks, moved = self._state.stacks, relocation.moved
        found = {source: self._left(source), target: self._put[target], **relocation.stacks}
        if target in moved:
            found[target] = _stack(target, stacks[target] << 1 | self._turn, moved[target])
        if source in moved:
            found[source] = _stack(source, stacks[source] >> 1, moved[source])
        return array([found[place] for place in sorted(found)])

    def _new_tallies(self, own: int, enemy: int) -> tuple[tuple[int, ...], ...]:
        """Return the numbers of arrived balls that have changed, each after its seat."""
        balls = (enemy, own) if self._turn else (own, enemy)
        arrived = [(balls[seat] & GOALS[seat]).bit_count() for seat in (0, 1)]
        return tuple((seat, number) for seat, number in enumerate(arrived) if (number,) != self._tallies[seat])
