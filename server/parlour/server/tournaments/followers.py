"""The sessions on this node that follow a tournament. Changes are sent to all of them together, once a second."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from parlour.protocol.messages import Message, TournamentSaid, YourTournament
from parlour.server.connections.frames import Broadcast
from parlour.server.sessions.session import Session
from parlour.server.tournaments.view import TournamentView, changes

PUBLISH_EVERY = 1.0  # seconds, however many changes there are
KEPT = 50  # lines of chat


class Followers:
    """The followers of one tournament, and its chat, which is not part of the log."""

    def __init__(
        self,
        view: Callable[[], Awaitable[TournamentView]],
        run: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """`view` returns the tournament as it is now, the same object as long as nothing changes; `run` runs a task."""
        self._view = view
        self._run = run
        self._sent: TournamentView | None = None  # the view that the sessions have
        self._yours: dict[Session, YourTournament | None] = {}
        self._behind: set[Session] = set()  # sessions that missed a change
        self._timer: asyncio.TimerHandle | None = None
        self._lines: deque[tuple[str, TournamentSaid]] = deque(maxlen=KEPT)  # with the id of the player

    def __bool__(self) -> bool:
        return bool(self._yours)

    def follow(self, session: Session, id: int, view: TournamentView) -> None:
        """Send the whole tournament, which is `view`, to a session, and every change from now on."""
        if self._sent is not None and self._sent.seq > view.seq:
            view = self._sent  # the others have been sent more meanwhile
        session.send(view.snapshot(id))
        self._yours[session] = None
        self._sent = self._sent or view
        self._send_own(session, view)
        for player, said in self._lines:
            if player not in session.block_lists.hidden:
                session.send(said)

    def leave(self, session: Session) -> None:
        """Stop following."""
        self._yours.pop(session, None)
        if not self._yours:
            self.close()

    def changed(self) -> None:
        """Publish a change of the tournament soon."""
        if self._yours and self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(PUBLISH_EVERY, lambda: self._run(self._publish()))

    def say(self, player: str, said: TournamentSaid) -> None:
        """Show a line of chat, said here or on another node."""
        self._lines.append((player, said))
        self._send_to_all(said, lambda session: player not in session.block_lists.hidden)

    def lines_of(self, player: str) -> list[str]:
        """Return what a player, by id, said lately, oldest first."""
        return [said.text for by, said in self._lines if by == player]

    def close(self) -> None:
        """Stop the timer."""
        self._sent = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _publish(self) -> None:
        self._timer = None  # changes during the computation of the view are published after it
        view = await self._view()
        sent = self._sent
        if sent is None:
            return
        if view.seq > sent.seq:
            self._sent = view
            self._send_to_all(changes(sent, view), lambda session: session not in self._behind)
            for session in list(self._yours):
                self._send_own(session, view)
        if self._behind:
            behind, self._behind = self._behind & self._yours.keys(), set()
            self._send_to_all(view.snapshot(None), lambda session: session in behind)
            self.changed()

    def _send_to_all(self, message: Message, wanted: Callable[[Session], bool]) -> None:
        """Send to the sessions that want it. One that is too slow for it gets the whole tournament later."""
        broadcast = Broadcast(message)
        for session in list(self._yours):
            if wanted(session) and not session.connection.write(broadcast):
                self._behind.add(session)

    def _send_own(self, session: Session, view: TournamentView) -> None:
        own, known = view.yours(session.player), self._yours[session]
        if own is None and known is not None:  # a player who leaves before the start is not listed any more
            session.send(YourTournament(tournament=view.id, state="withdrawn"))
        elif own is not None and own != known:
            session.send(own)
        self._yours[session] = own
