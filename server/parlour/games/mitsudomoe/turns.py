"""Mitsudomoe's turns: a ring step, a ball step, and cells for the enemy balls that were jumped.

Where balls could go does not depend on the rings. So it is computed once per position, and each ring step only decides
which of those cells then show an own ring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

from parlour.games import grid
from parlour.games.api import Game, Move, Seat
from parlour.games.latest import latest, latest_of
from parlour.games.mitsudomoe import board
from parlour.games.mitsudomoe.board import BETWEEN, EVERYWHERE, GRID, Vault, Walk, cells
from parlour.games.mitsudomoe.position import BALLS, FIRST_SLOT, NO_RINGS, State, tops_with_ring

# A place to take a ring from; once it is taken, the cells without a ball that show an own ring, and an enemy ring.
Source = tuple[int, int, int]

# All turns that take the ring from one place: the source, where the ring may go, walks to cells that show an own ring,
# walks to cells that do not, so that the ring has to go there, and vaults.
Plan = tuple[Source, int, list[Walk], list[Walk], tuple[Vault, ...]]


class Turns(Game[State]):
    def moves(self, state: State) -> list[Move]:
        """Return every turn: ring from, ring to, ball from, ball to, then the sorted cells for the jumped balls.

        In the original rules, a ring step that no ball step can follow is a turn, too.
        """
        found: list[Move] = []
        original = state.original
        for (source, mine, theirs), targets, walks, ringless, vaults in _plans(state):
            each_target = cells(targets)
            found += [(source, target, ball, landing) for ball, landing in walks for target in each_target]
            found += [(source, landing, ball, landing) for ball, landing in ringless]
            for vault in vaults:
                landing = vault[1]
                ring_to = each_target if mine >> landing & 1 else cells(targets & 1 << landing)
                found += _vault_turns(source, ring_to, vault, theirs, original)
        if original:
            followed = {move[:2] for move in found}
            found += [ring_step for ring_step in _ring_steps(state) if ring_step not in followed]
        return found

    def count(self, state: State) -> int:
        if state.original:
            return len(self.moves(state))
        found = 0
        for (_, mine, theirs), targets, walks, ringless, vaults in _plans(state):
            found += len(walks) * targets.bit_count() + len(ringless)
            for vault in vaults:
                landing = vault[1]
                ring_to = targets if mine >> landing & 1 else targets & 1 << landing
                found += _vault_turn_count(ring_to, vault, theirs)
        return found

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        """Return the rings, their new cells, the balls, their new cells, then cells for the jumped balls."""
        turn = state.turn
        if turn is None:
            return []
        if len(picks) < 2:
            targets = self._ring_targets(state)
            return cells(targets[picks[0]]) if picks else sorted(targets)
        if len(picks) < 4:
            landings = _ball_steps(state, picks[0], picks[1])
            return list(landings) if len(picks) == 2 else landings[picks[2]]
        own, enemy = state.balls[turn], state.balls[1 - turn]
        theirs = tops_with_ring(state, picks[0], picks[1])[1 - turn] & (EVERYWHERE ^ own ^ enemy)
        jumped = BETWEEN[picks[2]][picks[3]] & enemy
        if not state.original:
            return next_relocations(theirs, jumped, picks[4:])
        complete = len(picks) - 4 == jumped.bit_count()
        return [] if complete else [cell for cell in cells(theirs) if cell not in picks[4:]]

    @latest
    def _ring_targets(self, state: State) -> dict[int, int]:
        """Return where each ring that can be moved may go; in the published rules, so that a ball step follows."""
        turn = state.turn
        assert turn is not None
        own, enemy = state.balls[turn], state.balls[1 - turn]
        empty = EVERYWHERE ^ own ^ enemy
        if state.original:
            return {place: empty & ~(1 << place) for place, _, _ in sources(state, turn, empty)}
        walks, vaults = board.ball_steps(turn, own, enemy)
        reached = grid.mask([walk[1] for walk in walks]), grid.mask([vault[1] for vault in vaults])
        found = {source[0]: _targets(source, empty, *reached) for source in sources(state, turn, empty)}
        return {place: targets for place, targets in found.items() if targets}

    def completes(self, state: State, picks: Sequence[int]) -> bool | None:
        """Return whether no pick follows the next one: a ball that walks ends the turn, one that jumps does not."""
        turn = state.turn
        if turn is None or len(picks) < 3:
            return None if state.original and len(picks) == 1 else False
        own, enemy = state.balls[turn], state.balls[1 - turn]
        if len(picks) == 3:
            _, vaults = board.ball_steps(turn, own, enemy, state.original)
            return None if any(vault[0] == picks[2] for vault in vaults) else True
        return len(picks) - 3 == (BETWEEN[picks[2]][picks[3]] & enemy).bit_count()

    def canonical(self, picks: Sequence[int]) -> Move:
        """Return the picks with the cells of the jumped balls sorted: balls of a colour are interchangeable."""
        return (*picks[:4], *sorted(picks[4:]))


# -- all turns


def sources(state: State, turn: Seat, empty: int) -> Iterator[Source]:
    """Yield every place from which the side to move may take a ring."""
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


def _ring_steps(state: State) -> list[tuple[int, int]]:
    """Return every ring step, whether or not a ball step can follow it."""
    turn = state.turn
    if turn is None:
        return []
    empty = EVERYWHERE ^ state.balls[0] ^ state.balls[1]
    return [(place, target) for place, _, _ in sources(state, turn, empty) for target in cells(empty & ~(1 << place))]


def _plans(state: State) -> Iterator[Plan]:
    """Yield the turns of the side to move, by the place that the ring is taken from."""
    turn = state.turn
    if turn is None:
        return
    own, enemy = state.balls[turn], state.balls[1 - turn]
    empty = EVERYWHERE ^ own ^ enemy
    shown = state.tops[turn] & empty
    all_walks, vaults = board.ball_steps(turn, own, enemy, state.original)
    walks: list[Walk] = []
    ringless: list[Walk] = []  # the ring never comes from their landings, which show no own ring
    for walk in all_walks:
        (walks if shown >> walk[1] & 1 else ringless).append(walk)
    for source in sources(state, turn, empty):
        place, mine, _ = source
        ready = walks if mine == shown else [walk for walk in walks if walk[1] != place]
        yield source, empty & ~(1 << place), ready, ringless, vaults


def _vault_turns(source: int, targets: Sequence[int], vault: Vault, theirs: int, original: bool) -> list[Move]:
    """Return the turns of one vault, with the ring going to each of the targets."""
    ball, landing, jumped = vault
    found: list[Move] = []
    usual = board.relocations(theirs, jumped, original)
    for target in targets:
        turn = (source, target, ball, landing)
        # The ring may cover an enemy ring, on which no jumped ball can then end.
        finals = board.relocations(theirs ^ 1 << target, jumped, original) if theirs >> target & 1 else usual
        found += [turn + final for final in finals]
    return found


# By the number of jumped balls and of free cells: how many relocations `board.relocations` lists.
_RELOCATION_COUNTS = tuple(
    tuple(comb(free + balls, balls) - 1 for free in range(GRID.size)) for balls in range(BALLS + 1)
)


def _vault_turn_count(targets: int, vault: Vault, theirs: int) -> int:
    """Return the number of turns that `_vault_turns` lists."""
    relocations, free = _RELOCATION_COUNTS[vault[2].bit_count()], theirs.bit_count()
    covering = (targets & theirs).bit_count()
    found = (targets.bit_count() - covering) * relocations[free]
    return found + covering * relocations[free - 1] if covering else found


# -- turns step by step


def _targets(source: Source, empty: int, walked_to: int, vaulted_to: int) -> int:
    """Return where the ring may go so that a ball step follows to one of the cells that balls can walk or vault to."""
    place, mine, theirs = source
    everywhere = empty & ~(1 << place)
    if walked_to & mine:
        return everywhere
    landings = walked_to | vaulted_to if theirs else walked_to
    found = everywhere if landings & mine else everywhere & landings
    if not theirs & theirs - 1:
        # A ring on the only free enemy ring leaves no cell for a jumped ball.
        found = found & ~theirs | everywhere & theirs & walked_to
    return found


@latest_of
def _ball_steps(state: State, source: int, target: int) -> dict[int, list[int]]:
    """Return where each ball that can be moved may go once that ring is moved, in rising order."""
    turn = state.turn
    assert turn is not None
    own, enemy = state.balls[turn], state.balls[1 - turn]
    empty = EVERYWHERE ^ own ^ enemy
    tops = tops_with_ring(state, source, target)
    walks, vaults = board.ball_steps(turn, own, enemy, state.original)
    room = (tops[1 - turn] & empty).bit_count()
    for ball, landing, jumped in vaults:
        if room >= (jumped.bit_count() if state.original else 1):
            walks += ((ball, landing),)
    found: dict[int, list[int]] = {}
    ready = tops[turn] & empty
    for ball, landing in sorted(walks):
        if ready >> landing & 1:
            found.setdefault(ball, []).append(landing)
    return found


def can_move_ball(state: State, seat: Seat) -> bool:
    """Return whether a seat that has moved its ring has a ball step, by the original rules."""
    own, enemy = state.balls[seat], state.balls[1 - seat]
    empty = EVERYWHERE ^ own ^ enemy
    walks, vaults = board.ball_steps(seat, own, enemy, original=True)
    landings = grid.mask([walk[1] for walk in walks])
    room = (state.tops[1 - seat] & empty).bit_count()
    landings |= grid.mask([landing for _, landing, jumped in vaults if jumped.bit_count() <= room])
    return state.tops[seat] & empty & landings != 0


def next_relocations(free: int, jumped: int, chosen: Sequence[int]) -> list[int]:
    """Return the cells that may be chosen for one more jumped ball."""
    missing = jumped.bit_count() - len(chosen)
    if missing <= 0:
        return []
    # At least one ball must end on a cell where none of the jumped balls stood.
    last_chance = missing == 1 and all(jumped >> cell & 1 for cell in chosen)
    return [cell for cell in cells(free if last_chance else free | jumped) if cell not in chosen]
