"""Sends e-mails through the mail server of the operator, in threads of its own."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from smtplib import SMTP, SMTP_SSL, SMTPException
from typing import Any
from urllib.parse import unquote, urlsplit

logger = logging.getLogger(__name__)

WITHIN = 10.0  # seconds for each reply of the mail server
THREADS = 2
MAX_WAITING = 100  # e-mails on this node; further ones are dropped
PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
SENDER_NAME = "Parlour"


class Mailer:
    """The e-mails of this node. Each is sent once: the mail server of the operator retries deliveries."""

    def __init__(
        self,
        url: str,
        sender: str,
        run: Callable[[Coroutine[Any, Any, None]], None],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`url` is the setting `smtp_url`, `run` runs a task; `tls` replaces the certificates that are trusted."""
        self._server = urlsplit(url)
        self._sender = sender
        self._run = run
        self._tls = tls or ssl.create_default_context()
        self._threads = ThreadPoolExecutor(THREADS, "mail")
        self._waiting = 0

    def send(self, to: str, subject: str, text: str) -> None:
        """Send an e-mail soon. A failure is logged, without the address."""
        if self._waiting >= MAX_WAITING:
            logger.warning("an e-mail was dropped, since too many are waiting")
            return
        self._waiting += 1
        self._run(self._send(self._message(to, subject, text)))

    def close(self) -> None:
        """Drop the e-mails that were not sent."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _message(self, to: str, subject: str, text: str) -> EmailMessage:
        message = EmailMessage()
        message["From"] = f"{SENDER_NAME} <{self._sender}>"
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        return message

    async def _send(self, message: EmailMessage) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self._threads, self._deliver, message)
        except (OSError, SMTPException) as error:  # its text may quote the address
            logger.error(
                "an e-mail was not sent", extra={"server": self._server.hostname, "error": type(error).__name__}
            )
        finally:
            self._waiting -= 1

    def _deliver(self, message: EmailMessage) -> None:
        """Connect, send and disconnect; called in a thread."""
        scheme, host = self._server.scheme, self._server.hostname or ""
        port = self._server.port or PORTS[scheme]
        server = (
            SMTP_SSL(host, port, timeout=WITHIN, context=self._tls)
            if scheme == "smtps"
            else SMTP(host, port, timeout=WITHIN)
        )
        with server:
            if scheme == "smtp+starttls":
                server.starttls(context=self._tls)
            if self._server.username is not None:
                server.login(unquote(self._server.username), unquote(self._server.password or ""))
            server.send_message(message)
