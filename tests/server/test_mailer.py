"""E-mails go through the mail server of the operator."""

from __future__ import annotations

import asyncio
import logging
import ssl
import subprocess
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from parlour.server.mailer import MAX_WAITING, Mailer
from tests.server.mail_server import run_mail_server
from tests.waiting import until


class Tasks:
    """Runs what a mailer has to do."""

    def __init__(self) -> None:
        self.all: list[asyncio.Task[None]] = []

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        self.all.append(asyncio.create_task(work))


async def test_an_e_mail_arrives() -> None:
    """It has a sender, a receiver, a subject, a text, and says that a program wrote it."""
    async with run_mail_server() as server:
        mailer = Mailer(server.url, "games@example.org", Tasks().run)
        mailer.send("ada@example.net", "Hello · example.org", "Grüße, Ann\n")
        await until(lambda: server.mails != [])
        (mail,) = server.mails
        headers = [mail[name] for name in ("From", "To", "Subject", "Auto-Submitted")]
        assert headers == ["Parlour <games@example.org>", "ada@example.net", "Hello · example.org", "auto-generated"]
        assert mail["Date"]
        assert mail["Message-ID"].endswith("@example.org>")
        assert mail.get_content().splitlines() == ["Grüße, Ann"]
        mailer.close()


async def test_a_mail_server_may_want_a_password(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The password is sent after STARTTLS, to a server with a certificate that is trusted, and no other."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    name = ["-addext", "subjectAltName=DNS:localhost"]
    command = ["openssl", *request.split(), *name, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    of_server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    of_server.load_cert_chain(certificate, key)
    trusting = ssl.create_default_context(cafile=certificate)
    async with run_mail_server(of_server) as server:
        url = server.url.replace("smtp://", "smtp+starttls://ann:open%20sesame@")
        tasks = Tasks()
        Mailer(url, "games@example.org", tasks.run, trusting).send("ada@example.net", "One", "Text")
        await asyncio.gather(*tasks.all)
        assert len(server.mails) == 1
        with caplog.at_level(logging.ERROR):
            for wrong, tls in ((url, None), (url.replace("open", "shut"), trusting)):
                Mailer(wrong, "games@example.org", tasks.run, tls).send("ada@example.net", "Two", "Text")
                await asyncio.gather(*tasks.all)
        errors = [vars(each)["error"] for each in caplog.records if each.name == "parlour.server.mailer"]
        assert errors[0] == "SSLCertVerificationError"
        # The server refuses the password, or has hung up already.
        assert errors[1:] in (["SMTPAuthenticationError"], ["SMTPServerDisconnected"])
        assert "ada@" not in caplog.text
        assert len(server.mails) == 1


async def test_too_many_e_mails_are_dropped() -> None:
    """A mail server that is slow or away cannot fill the memory."""
    tasks = Tasks()
    mailer = Mailer("smtp://127.0.0.1:1", "games@example.org", tasks.run)
    for _ in range(MAX_WAITING + 20):
        mailer.send("ada@example.net", "Subject", "Text")
    assert len(tasks.all) == MAX_WAITING
    await asyncio.gather(*tasks.all)
    mailer.send("ada@example.net", "Subject", "Text")
    assert len(tasks.all) == MAX_WAITING + 1
    await asyncio.gather(*tasks.all)
