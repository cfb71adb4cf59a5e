"""Which turns there are: a ring step, a ball step, and cells for the enemy balls that were jumped.

Where balls could go does not depend on the rings. So it is worked out once per position, and each ring step
only asks which of those cells then show an own ring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

from parlour.games import grid
from parlour.games.api import Move, Seat
from parlour.games.latest import latest, latest_of
from parlour.games.mitsudomoe import board
from parlour.games.mitsudomoe.board import BETWEEN, EVERYWHERE, GOALS, NEIGHBOURS, Vault, cells
from parlour.games.mitsudomoe.position import FIRST_SLOT, NO_RINGS, State, with_ring

# A place to take a ring from; without that ring, the ball-free cells that show an own and an enemy ring.
Source = tuple[int, int, int]


def _sources(state: State, turn: Seat, empty: int) -> Iterator[Source]:
    mine, theirs = state.tops[turn] & empty, state.tops[1 - turn] & empty
    if state.supply[turn]:
        yield FIRST_SLOT + turn, mine, theirs
    for cell in cells(mine):
        below = state.stacks[cell] >> 1
        if below == NO_RINGS:
            yield cell, mine ^ 1 << cell, theirs
        elif below & 1 == turn:
            yield cell, mine, theirs
        else:
            yield cell, mine ^ 1 << cell, theirs | 1 << cell


def moves(state: State) -> list[Move]:
    """Every turn: ring from, ring to, ball from, ball to, then the sorted cells on which jumped balls end."""
    turn = state.turn
    if turn is None:
        return []
    own, enemy = state.balls[turn], state.balls[1 - turn]
    empty = EVERYWHERE ^ own ^ enemy
    mine = state.tops[turn] & empty
    walks, vaults = board.ball_steps(turn, own, enemy)
    ready = [walk for walk in walks if mine >> walk[1] & 1]
    # These need the ring to come to their cell. It never comes from there: it lies in `mine`, they do not.
    wanting = [walk for walk in walks if not mine >> walk[1] & 1]
    found: list[Move] = []
    for source, shown, theirs in _sources(state, turn, empty):
        targets = cells(empty & ~(1 << source))
        left = ready if shown == mine else [walk for walk in ready if walk[1] != source]
        found += [(source, target, ball, landing) for ball, landing in left for target in targets]
        found += [(source, landing, ball, landing) for ball, landing in wanting]
        for vault in vaults:
            landing = vault[1]
            if shown >> landing & 1:
                found += _vaults(source, targets, vault, theirs)
            elif landing != source:
                found += _vaults(source, (landing,), vault, theirs)
    return found


def _vaults(source: int, targets: Sequence[int], vault: Vault, theirs: int) -> list[Move]:
    """The turns of one vault with the ring going to each of the targets."""
    ball, landing, jumped = vault
    found: list[Move] = []
    usual = board.relocations(theirs, jumped)
    for target in targets:
        turn = (source, target, ball, landing)
        finals = board.relocations(theirs ^ 1 << target, jumped) if theirs >> target & 1 else usual
        found += [turn + final for final in finals]
    return found


def count(state: State) -> int:
    """How many turns there are, without listing them."""
    turn = state.turn
    if turn is None:
        return 0
    own, enemy = state.balls[turn], state.balls[1 - turn]
    empty = EVERYWHERE ^ own ^ enemy
    mine = state.tops[turn] & empty
    walks, vaults = board.ball_steps(turn, own, enemy)
    ready = [landing for _, landing in walks if mine >> landing & 1]
    # So many targets take away a cell to relocate to.
    covering = (state.tops[1 - turn] & empty).bit_count()
    found = 0
    for source, shown, theirs in _sources(state, turn, empty):
        targets = empty.bit_count() - (source < FIRST_SLOT)
        left = len(ready) if shown == mine else len(ready) - ready.count(source)
        found += left * targets + len(walks) - len(ready)
        for _, landing, jumped in vaults:
            free, many = theirs.bit_count(), jumped.bit_count()
            if shown >> landing & 1:
                found += (targets - covering) * _relocations(free, many)
                found += covering * _relocations(free - 1, many)
            elif landing != source:
                found += _relocations(free - (theirs >> landing & 1), many)
    return found


def _relocations(free: int, many: int) -> int:
    """How many relocations `board` would list."""
    return comb(free + many, many) - 1


def can_move(state: State) -> bool:
    """Whether the side to move has any turn."""
    turn = state.turn
    if turn is None:
        return False
    empty = EVERYWHERE ^ state.balls[0] ^ state.balls[1]
    if not state.supply[turn] and not state.tops[turn] & empty:
        return False
    # A ring can come to any cell without a ball but its own, so two such cells beside one ball will do.
    for ball in cells(state.balls[turn] & ~GOALS[turn]):
        room = NEIGHBOURS[ball] & empty
        if room & room - 1:
            return True
    return count(state) > 0


def steps(state: State, picks: Sequence[int]) -> list[int]:
    """The ring, its new cell, the ball, its new cell, and then a cell for each jumped ball in any order."""
    turn = state.turn
    if turn is None:
        return []
    own, enemy = state.balls[turn], state.balls[1 - turn]
    empty = EVERYWHERE ^ own ^ enemy
    if len(picks) < 2:
        targets = _ring_steps(state)
        return targets[picks[0]] if picks else sorted(targets)
    if len(picks) < 4:
        landings = _ball_steps(state, picks[0], picks[1])
        return list(landings) if len(picks) == 2 else landings[picks[2]]
    theirs = with_ring(state, picks[0], picks[1])[1][1 - turn] & empty
    return _next_relocations(theirs, BETWEEN[picks[2]][picks[3]] & enemy, picks[4:])


@latest_of
def _ball_steps(state: State, source: int, target: int) -> dict[int, list[int]]:
    """Where each ball that can be moved may go once that ring is moved, in rising order."""
    turn = state.turn
    assert turn is not None
    own, enemy = state.balls[turn], state.balls[1 - turn]
    empty = EVERYWHERE ^ own ^ enemy
    tops = with_ring(state, source, target)[1]
    walks, vaults = board.ball_steps(turn, own, enemy)
    if tops[1 - turn] & empty:
        walks += tuple(vault[:2] for vault in vaults)
    found: dict[int, list[int]] = {}
    for ball, landing in sorted(walks):
        if (tops[turn] & empty) >> landing & 1:
            found.setdefault(ball, []).append(landing)
    return found


def completes(state: State, picks: Sequence[int]) -> bool | None:
    """Whether no pick follows the next one: a ball that walks is the end, one that jumps others is not."""
    turn = state.turn
    if turn is None or len(picks) < 3:
        return False
    own, enemy = state.balls[turn], state.balls[1 - turn]
    if len(picks) == 3:
        _, vaults = board.ball_steps(turn, own, enemy)
        return None if any(vault[0] == picks[2] for vault in vaults) else True
    return len(picks) - 3 == (BETWEEN[picks[2]][picks[3]] & enemy).bit_count()


@latest
def _ring_steps(state: State) -> dict[int, list[int]]:
    """Where each ring that can be moved may go so that a ball step follows."""
    turn = state.turn
    assert turn is not None
    own, enemy = state.balls[turn], state.balls[1 - turn]
    empty = EVERYWHERE ^ own ^ enemy
    walks, vaults = board.ball_steps(turn, own, enemy)
    reached = grid.mask([walk[1] for walk in walks]), grid.mask([vault[1] for vault in vaults])
    found = {source[0]: list(_targets(source, empty, *reached)) for source in _sources(state, turn, empty)}
    return {source: targets for source, targets in found.items() if targets}


def _targets(source: Source, empty: int, walked_to: int, vaulted_to: int) -> Iterator[int]:
    """Where the ring may go so that a ball step follows; balls could walk or vault to those cells."""
    place, shown, theirs = source
    for target in cells(empty & ~(1 << place)):
        ring = 1 << target
        landings = walked_to | vaulted_to if theirs & ~ring else walked_to
        if landings & (shown | ring):
            yield target


def _next_relocations(free: int, jumped: int, chosen: Sequence[int]) -> list[int]:
    """The cells that may be chosen for one more jumped ball."""
    missing = jumped.bit_count() - len(chosen)
    if missing <= 0:
        return []
    # Somebody must end on a cell where none of them stood.
    last_chance = missing == 1 and all(jumped >> cell & 1 for cell in chosen)
    return [cell for cell in cells(free if last_chance else free | jumped) if cell not in chosen]


def canonical(picks: Sequence[int]) -> Move:
    """The turn that picks mean: balls of a colour are alike, so the order of their new cells says nothing."""
    return (*picks[:4], *sorted(picks[4:]))
