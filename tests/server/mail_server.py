"""A mail server on loopback, which keeps what it gets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from ssl import SSLContext
from typing import Any

from aiosmtpd.handlers import Sink
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from tests.waiting import until


class MailServer(Sink):
    """Accepts e-mails, and any name with the password “open sesame”."""

    def __init__(self) -> None:
        self.url = ""
        self.mails: list[EmailMessage] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - its name is given
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        return "250 OK"

    async def link(self, number: int = 1) -> str:
        """Wait for this many e-mails, and return the link in the last one."""
        await until(lambda: len(self.mails) >= number)
        found = re.search(r"https?://\S+#\S+", self.mails[number - 1].get_content())
        assert found is not None
        return found[0]


def authenticate(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object) -> AuthResult:
    """Accept the one password that there is."""
    del server, session, envelope, mechanism
    return AuthResult(success=getattr(data, "password", b"") == b"open sesame")


@asynccontextmanager
async def run_mail_server(tls: SSLContext | None = None) -> AsyncIterator[MailServer]:
    """Run a mail server. With `tls`, it wants STARTTLS and a password first."""
    mail = MailServer()
    secure: dict[str, Any] = {
        "tls_context": tls,
        "require_starttls": True,
        "auth_required": True,
        "authenticator": authenticate,
    }
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(mail, hostname="localhost", **(secure if tls else {})), "127.0.0.1", 0
    )
    mail.url = f"smtp://localhost:{server.sockets[0].getsockname()[1]}"
    try:
        yield mail
    finally:
        server.close()
