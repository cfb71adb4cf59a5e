"""The e-mail address of an account, which is optional, and the links that are sent there."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable, Coroutine
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlsplit

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import ConfirmEmail, Email, GetEmail, Message, Ok, RequestRecovery, SetEmail
from parlour.server.connections.limits import network
from parlour.server.limits.accounting import in_words
from parlour.server.mailer import Mailer
from parlour.server.players.accounts import Accounts
from parlour.server.players.names import fold_name
from parlour.server.players.passwords import password_changed, wrong_password
from parlour.server.sessions.command_ids import Handler
from parlour.server.sessions.session import Session
from parlour.server.store.accounts import Account
from parlour.server.store.budgets import Budget
from parlour.server.store.emails import MailedCode
from parlour.server.store.store import Store

logger = logging.getLogger(__name__)

# Hexadecimal digits, which `tidy_code` leaves as they are; recovery codes are much shorter.
CODE_SIZE = 16  # bytes
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+", re.ASCII)

HOUR = 3_600_000  # milliseconds
PER_HOUR = 3  # e-mails to one address, and about one account
PER_HOUR_OF_NETWORK = 30

SIGNATURE = "This e-mail was sent by the game server at {host}.\n"
CONFIRM = (
    "Confirm your e-mail address",
    """Hello {name},

open this link to confirm that this is your e-mail address:

{link}

With it you can choose a new password if you forget yours. The link works once, within an hour. If you have no account
at {host}, ignore this e-mail.
""",
)
RECOVER = (
    "Choose a new password",
    """Hello {name},

open this link to choose a new password:

{link}

It works once, within an hour. If you did not ask for it, ignore this e-mail: your password stays as it is.
""",
)
CHANGED = (
    "Your e-mail address was changed",
    """Hello {name},

your account at {host} has another e-mail address now, or none. If you did not change it, change your password, and ask
the operator for help.
""",
)


class Emails:
    """Answers the commands about e-mail addresses. Without a mail server, an address can only be removed."""

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        mailer: Mailer | None,
        public_url: str,
        run: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """`public_url` is the address that links begin with, `run` runs a task."""
        self._store = store
        self._accounts = accounts
        self._mailer = mailer
        self._url = public_url
        self._host = urlsplit(public_url).netloc
        self._run = run
        self.handlers: dict[type[Message], Handler] = {
            GetEmail: self._get,
            SetEmail: self._set,
            ConfirmEmail: self._confirm,
            RequestRecovery: self._request_recovery,
        }

    async def _get(self, session: Session, command: GetEmail) -> None:
        address = await self._store.emails.address(session.player)
        session.send(Email(id=command.id, address=address, offered=self._mailer is not None))

    async def _set(self, session: Session, command: SetEmail) -> None:
        account = await self._store.accounts.get(session.player)
        if account is None:
            raise Refusal(ErrorCode.ACCOUNT_NEEDED, "Guests have no e-mail address. Register first.")
        if not await self._accounts.passwords.verify(command.password, account.password_hash):
            raise wrong_password()
        address = command.address.strip()
        if not address:
            await self._store_address(account, "")
        else:
            mailer = self._needs_mailer()
            if not ADDRESS.fullmatch(address):
                raise Refusal(ErrorCode.EMAIL_REFUSED, "This is not an e-mail address. Write it like ada@example.org.")
            wait = await self._charge(session.connection.address, account, address)
            if wait:
                sentence = f"Too many e-mails were sent. Try again {in_words(wait)}."
                raise Refusal(ErrorCode.TOO_MANY_SIGN_INS, sentence, wait)
            code = await self._new_code(MailedCode.of("confirm", account, address))
            self._mail(mailer, CONFIRM, address, account, f"confirm={code}")
        session.send(Ok(id=command.id))

    async def _confirm(self, session: Session, command: ConfirmEmail) -> None:
        code = command.code.strip()
        mailed = await self._store.emails.find_code(code)
        account = None if mailed is None else await self._store.accounts.get(mailed.player)
        is_valid = mailed is not None and mailed.purpose == "confirm"
        if account is None or mailed is None or not is_valid or not mailed.belongs_to(account):
            sentence = "This link is not valid any more. Set your e-mail address again to get another one."
            raise Refusal(ErrorCode.EMAIL_REFUSED, sentence)
        await self._store_address(account, mailed.address)
        await self._store.emails.use_code(code)
        session.send(Ok(id=command.id))

    async def _request_recovery(self, session: Session, command: RequestRecovery) -> None:
        mailer = self._needs_mailer()
        # Answered before the account is looked up, so that neither the answer nor its time says whether it exists.
        session.send(Ok(id=command.id))
        self._run(self._send_recovery(mailer, command.name, session.connection.address))

    async def _send_recovery(self, mailer: Mailer, name: str, requester: str) -> None:
        account = await self._store.accounts.find(fold_name(name))
        address = "" if account is None else await self._store.emails.address(account.id)
        if account is None or not address or await self._charge(requester, account, address):
            return
        code = await self._new_code(MailedCode.of("recover", account, address))
        self._mail(mailer, RECOVER, address, account, f"recover={code}&name={quote(account.name)}")
        logger.info("a link to recover an account was mailed", extra={"player": account.id, "address": requester})

    # -- shared by the commands

    def _needs_mailer(self) -> Mailer:
        if self._mailer is None:
            raise Refusal(ErrorCode.EMAIL_OFF, "This server sends no e-mails. Use a recovery code instead.")
        return self._mailer

    async def _store_address(self, account: Account, address: str) -> None:
        """Set or remove the address, and tell the owner of the one before."""
        before = await self._store.emails.set(account, address)
        if before is None:
            raise password_changed()
        if before and before != address and self._mailer is not None:
            self._mail(self._mailer, CHANGED, before, account, "")

    async def _charge(self, requester: str, account: Account, address: str) -> int:
        """Count an e-mail; return the milliseconds to wait if it is over the limit."""
        to = sha256(address.casefold().encode()).hexdigest()[:32]
        budgets = (
            Budget(f"mail:to:{to}", PER_HOUR, HOUR),
            Budget(f"mail:player:{account.id}", PER_HOUR, HOUR),
            Budget(f"mail:address:{network(requester)}", PER_HOUR_OF_NETWORK, HOUR),
        )
        refused = await self._store.budgets.spend(budgets, self._store.clock.now())
        return 0 if refused is None else refused[1]

    async def _new_code(self, meaning: MailedCode) -> str:
        code = secrets.token_hex(CODE_SIZE)
        await self._store.emails.add_code(code, meaning)
        return code

    def _mail(self, mailer: Mailer, text: tuple[str, str], to: str, account: Account, fragment: str) -> None:
        """Send a text. The code is in the fragment of its link, which browsers do not send to servers or log."""
        subject, body = text
        link = f"{self._url}/account#{fragment}"
        filled = (body + "\n-- \n" + SIGNATURE).format(name=account.name, link=link, host=self._host)
        mailer.send(to, f"{subject} · {self._host}", filled)
